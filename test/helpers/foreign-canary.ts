// Makes a project of somebody else with one text in all of its fields, so that tests can search for
// it.

import { pathOf } from '#shared/api/path.ts';
import { endpoints } from '#shared/api/index.ts';
import { createLogChunks } from '../../src/server/automation/tasks/log/log-chunks.ts';
import type { TestApp } from './app.ts';
import { everyId, type Ids } from './every-id.ts';
import { samples } from './samples.ts';
import { storeChunks } from './store-chunks.ts';

/** Only letters, which every kind of text may contain. */
export const canary = 'zqcanary';

// The fields with texts that people choose; other fields have a fixed form.
const free = new Set(
  'name title description message playbook inventory limit tags skip_tags git_branch key value variable auth_header start_version'.split(
    ' ',
  ),
);
const formed: Record<string, (text: string) => string> = {
  json: (text) => JSON.stringify({ [text]: text }),
  env: (text) => JSON.stringify({ [text]: text }),
  git_url: (text) => `ssh://git@example.com/${text}.git`,
};

let count = 0;

function planted(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => planted(one));
  if (typeof value === 'object' && value !== null) {
    // The key of a node is named by edges.
    const isNode = 'key' in value && 'type' in value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        isNode && key === 'key' ? one : planted(one, key),
      ]),
    );
  }
  if (typeof value !== 'string') return value;
  count += 1;
  const text = `${canary}${count}`;
  if (free.has(field)) return text;
  return formed[field]?.(text) ?? value;
}

/** Returns the ids of the project, and which of its things contain the text. */
export async function plantForeignCanary(app: TestApp): Promise<{ ids: Ids; names: string[] }> {
  const ids = await everyId(app, app.admin);
  const bodies = samples(ids);
  const names: string[] = [];
  const send = async (name: string, body: unknown): Promise<void> => {
    const found = endpoints.find((one) => one.name === name);
    if (!found) throw new Error(`there is no ${name}`);
    const { method, path } = found.endpoint;
    const answer = await app.admin.raw({
      method,
      url: pathOf({ path }, { params: ids }),
      payload: body as object,
    });
    if (answer.statusCode >= 300) throw new Error(`${name}: ${answer.body}`);
    names.push(name);
  };
  for (const { name, endpoint } of endpoints) {
    const isOfProject = endpoint.method === 'PUT' && endpoint.path.includes(':project_id');
    if (isOfProject && name !== 'members.update' && name !== 'schedules.switch') {
      await send(name, planted(bodies[name]));
    }
  }
  await send('tasks.start', { template_id: ids['template_id'], message: canary });
  const chunks = createLogChunks(0);
  chunks.append({ time: app.ctx.clock.now().toISOString(), output: canary });
  const pending = chunks.take();
  if (!pending) throw new Error('the log is empty');
  const progress = { log_lines: pending.total, spool_offset: 0 };
  await storeChunks(app.ctx.db, { id: Number(ids['task_id']), lease: 0 }, pending.chunks, progress);
  return { ids, names };
}
