// Members of a project that may do less than its owner, in a browser.

import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '#shared/permissions.ts';
import { callApi, letIn, type Console } from './console.ts';

const password = 'a password of a member';

/** A page of a new member of the first project, signed in, which shows nothing yet. */
export async function openAs(
  { open }: Console,
  owner: Page,
  role: Role,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const user = { username: role, name: `The ${role}`, email: `${role}@example.com`, password };
  const { id } = await callApi<{ id: number }>(owner, 'post', '/api/users', user);
  await callApi(owner, 'post', '/api/project/1/users', { user_id: id, role });
  const page = await open(null, options);
  await letIn(page, role, password);
  return page;
}
