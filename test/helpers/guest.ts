// Opens pages of members of a project who may do less than its owner.

import type { Page } from 'playwright-core';
import { letIn, type Console } from './console.ts';
import type { Demo } from './demo.ts';
import type { PageOptions } from './pages.ts';

const password = 'a password of a member';

/** Opens a page of a new member of the demo project, signed in, which shows nothing yet. */
export async function openAs(
  { open, call }: Console,
  demo: Demo,
  role: string,
  look: PageOptions = {},
): Promise<Page> {
  const username = demo.only(role);
  const user = { username, name: `The ${role}`, email: `${username}@example.com`, password };
  const { id } = await call<{ id: number }>('POST', '/api/users', user);
  await call('POST', demo.api('users'), { user_id: id, role });
  const page = await open(null, look);
  await letIn(page, username, password);
  return page;
}
