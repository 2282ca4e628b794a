// Values that an attacker may type into a field. Each tries to create one file, the canary.

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CallOf, Endpoint, ReplyOf } from '#shared/api/endpoint.ts';
import type { Task } from '#shared/api/tasks.ts';
import { type Caller, type TestApp } from './app.ts';
import { appWithProject } from './app-with-project.ts';
import { realPrograms } from './programs.ts';
import { folder } from './seed.ts';
import { launch, logText, untilAllFinished } from './tasks.ts';

function hostileValues(canary: string): string[] {
  const touch = `touch ${canary}`;
  const viaPipe = `lookup('ansible.builtin.pipe', '${touch}')`;
  return [
    `; ${touch}`,
    `x; ${touch} #`,
    `$(${touch})`,
    `\`${touch}\``,
    `x | ${touch}`,
    `x && ${touch}`,
    `'; ${touch}; '`,
    `"; ${touch}; "`,
    `x\n${touch}\n`,
    `x\r\n${touch}`,
    `x\u0000${touch}`,
    `--upload-pack=${touch}`,
    `-u${touch}`,
    `-oProxyCommand=${touch}`,
    `--config=core.sshCommand=${touch}`,
    `\u2014upload-pack=${touch}`,
    `\u2010\u2010upload-pack=${touch}`,
    `ext::sh -c ${touch.replaceAll(' ', '% ')}`,
    `fd::17/${canary}`,
    `ssh://-oProxyCommand=${touch}/x`,
    `{{ ${viaPipe} }}`,
    `{% for one in [1] %}{{ ${viaPipe} }}{% endfor %}`,
    `{{ cycler.__init__.__globals__.os.popen('${touch}').read() }}`,
    `{# x #}{{ "${touch}" | ansible.builtin.shell }}`,
    `!!python/object/apply:os.system ["${touch}"]`,
    `x" : {{ ${viaPipe} }}, "y`,
    `@${canary}`,
    `all,@/etc/passwd`,
    `all:@/etc/passwd`,
    '../../../../../../etc/passwd',
    '/etc/passwd',
    'inside/../../outside',
    '\u202egnp.yml',
    '\ud800',
    'x'.repeat(100_000),
  ];
}

/** What was made of a body, or null if it was refused by the name of this field. */
export async function offer<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  args: CallOf<E>,
  field: string,
): Promise<ReplyOf<E> | null> {
  const { status, body } = await caller.ask(endpoint, args);
  if (status === 201) return body;
  const named =
    status === 422 ? [body.params['field']] : (body.fields ?? []).map(({ path }) => path);
  expect([status, named, JSON.stringify(args)]).toEqual([
    expect.toSatisfy((value) => value === 400 || value === 422),
    expect.arrayContaining([expect.stringMatching(`^${field}`)]),
    JSON.stringify(args),
  ]);
  return null;
}

/** A server, a project and the values; with the real Ansible or the fake one. */
export async function setUp(options: { isReal: boolean; files?: Record<string, string> }) {
  const path = options.isReal ? { path: realPrograms } : {};
  const { app, seed } = await appWithProject(options.files ?? { 'play.yml': 'echo ran\n' }, {
    runner: true,
    config: path,
  });
  const canary = join(await folder(), 'canary');
  return {
    app,
    seed,
    canary,
    values: hostileValues(canary),
    params: { project_id: seed.projectId },
  };
}

export async function expectUntouched(canary: string): Promise<void> {
  await expect(access(canary)).rejects.toThrow('ENOENT');
}

/**
 * Runs templates to their ends, whatever those are; the logs must show no file of the server. All
 * are launched before the first is waited for.
 */
export async function runTemplates(
  app: TestApp,
  projectId: number,
  templateIds: readonly number[],
): Promise<string[]> {
  const launched: Task[] = [];
  for (const template_id of templateIds) {
    launched.push(await launch(app.admin, projectId, { template_id }));
  }
  await untilAllFinished(app.admin, launched);
  const logs: string[] = [];
  for (const task of launched) logs.push(await logText(app.admin, task));
  for (const log of logs) expect(log).not.toMatch(/root:[^:]*:0:0/);
  return logs;
}

/** Flags of a template that allow every field of a task to be set. */
export const allowAll = {
  allow_override_args_in_task: true,
  allow_override_branch_in_task: true,
  allow_override_limit_in_task: true,
  allow_override_tags_in_task: true,
  allow_override_skip_tags_in_task: true,
};
