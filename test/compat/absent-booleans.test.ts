// Clients of other versions leave a boolean out when they mean false. Each one that is true here when
// it is absent is named below, and the guide for clients says why.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Schema } from '#shared/api/endpoint.ts';
import { endpoints } from '#shared/api/index.ts';
import { oldClient, oldProject, oldTemplate } from '../helpers/old-client.ts';

/** The fields of a schema by name, also where it is transformed as a whole. */
function fieldsOf(schema: Schema): Record<string, Schema> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, Schema>;
  return schema instanceof z.ZodPipe ? fieldsOf(schema.in as Schema) : {};
}

test('few booleans are true when they are absent', () => {
  const found = endpoints.flatMap(({ name, endpoint: { body, forms } }) =>
    Object.entries({ ...fieldsOf(body), ...(forms && fieldsOf(forms.fields)) })
      .filter(([, field]) => field.safeParse(undefined).data === true)
      .map(([field]) => `${name} ${field}`),
  );
  expect(found).toEqual([
    // Clients that do not know it mean all files of a repository.
    'repositories.create with_submodules',
    'repositories.update with_submodules',
    'templates.create allow_debug_in_task',
    // The server keeps the one of a template that exists.
    'templates.create fail_without_hosts',
    'templates.update allow_debug_in_task',
    'templates.update fail_without_hosts',
    // No other version of the API has alert channels.
    'alertChannels.create active',
    'alertChannels.update active',
  ]);
});

test('what an absent boolean of other clients means is as the guide says', async () => {
  const client = await oldClient();
  const project = await oldProject(client);
  const template = await client.call('POST', `${project.at}/templates`, oldTemplate(project, {}));
  const schedule = { name: 'Nightly', cron_format: '@daily', template_id: template['id'] };
  const made = await client.call('POST', `${project.at}/schedules`, schedule);
  const runner = await client.call('POST', '/runners', { name: 'Far away' });
  const off = await client.call('POST', '/runners', { name: 'Off', active: false });
  expect([template['allow_debug_in_task'], made['active']]).toEqual([true, false]);
  expect([runner['active'], off['active']]).toEqual([true, false]);
  const guide = await readFile(join(import.meta.dirname, '../../docs/guide/clients.md'), 'utf8');
  const row = guide
    .split('\n')
    .find((line) => line.startsWith('| reads an absent boolean as false'));
  expect(row).toContain('`allow_debug_in_task`');
  expect(row).toContain('`active`');
});
