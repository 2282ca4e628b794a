// Slow: the body of every endpoint is sent, field by field, and read again.
// What a client sends is what it reads: programs such as Terraform compare the two, and change or
// replace what differs.

import { expect, test } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { endpoints, mergeOf } from '#shared/api/index.ts';
import { fieldsOf } from '#shared/api/patches.ts';
import { change, everything, type Json, read } from './helpers/changed-resources.ts';

/** Values of all kinds, in each of the forms in which clients write "none". */
const values = ['', 'text', '7', false, true, 0, 7, [], ['text'], {}, '{}', '[]', ' {"a" : 1} '];

/** The other forms of a field, which would count beside an empty value. */
const twins: Record<string, string[]> = {
  environment_id: ['environment_ids'],
  environment_ids: ['environment_id'],
  runner_tags: ['runner_tag'],
  draining: ['active'],
};

/** Whether a value is read in another form on purpose; everything else is read as it was sent. */
function isOtherForm(field: string, sent: unknown, shown: unknown): boolean {
  // Spaces around a text do not count, and 0 is no id.
  if (typeof sent === 'string' && sent.trim() === shown) return true;
  if (field.endsWith('_id') && sent === 0 && shown === null) return true;
  return otherForms[field]?.some(([from, to]) => from === sent && to === shown) ?? false;
}

/** Documented: an empty text of JSON is an empty object, and forms send numbers as texts. */
const otherForms: Record<string, [sent: unknown, shown: unknown][]> = {
  json: [['', '{}']],
  env: [['', '{}']],
  max_parallel_tasks: [
    ['', 0],
    ['7', 7],
  ],
};

/** Fields whose empty value means something else, or that only some kinds of the resource have. */
const others = new Map([
  ['apps.update title', 'empty: the title of the app'],
  ['apps.update path', 'empty: the program of the app'],
  ['keys.update login_password', 'secret parts are never read'],
  ['keys.update ssh', 'secret parts are never read'],
  ['environments.update secrets', 'a list of changes'],
  ['templates.update build_template_id', 'only of a deploy'],
  ['templates.update autorun', 'only of a deploy'],
  ['integrations.update task_params', 'what narrows a run is kept, and both forms are read'],
  ['schedules.update task_params', 'what narrows a run is kept, and both forms are read'],
  ['grants.update limits', 'what narrows a run is kept, each limit by itself'],
  ['groupRules.update limits', 'what narrows a run is kept, each limit by itself'],
  ['schedules.update run_at', 'only of a schedule that is due once'],
  ['schedules.update delete_after_run', 'only of a schedule that is due once'],
  ['schedules.update time_zone', 'empty: the time zone that it has'],
  ['alertChannels.update chat', 'only of kinds that have chats'],
]);

test('each field of each resource is read back in the form in which it was sent', async () => {
  const { app, ids } = await everything();
  const found: string[] = [];
  for (const { name, endpoint } of endpoints) {
    if (!mergeOf(endpoint)) continue;
    const url = pathOf(endpoint, { params: ids });
    const before = await read(app.admin, url);
    for (const field of fieldsOf(endpoint.body).filter((one) => one in before)) {
      for (const value of values) {
        const left = ['task_params', ...(twins[field] ?? [])].filter((one) => one !== field);
        const whole = Object.entries(before).filter(([one]) => !left.includes(one));
        const body: Json = { ...Object.fromEntries(whole), [field]: value };
        const { status } = await change(app.admin, ['PUT', url], body);
        if (status >= 500) found.push(`${name} ${field}: ${JSON.stringify(value)} is ${status}`);
        if (status !== 204) continue;
        const shown = (await read(app.admin, url))[field];
        const isSame = JSON.stringify(shown) === JSON.stringify(value);
        if (!isSame && !isOtherForm(field, value, shown) && !others.has(`${name} ${field}`)) {
          found.push(`${name} ${field}: ${JSON.stringify(value)} is ${JSON.stringify(shown)}`);
        }
        await change(app.admin, ['PUT', url], before);
      }
    }
  }
  expect(found).toEqual([]);
});
