// Slow: playbooks that gather facts, with the real Ansible.
// Facts that outlive a run, with the real Ansible.

import { chmod, readdir, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { makeRunUsers } from '../../../test/helpers/unix-user.ts';
import { until } from '../../../test/helpers/until.ts';
import type { TaskInput } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { clearCaches } from '../runs/clear-caches.ts';
import { prepareIsolation } from '../workspace/run-users.ts';
import { keepsFacts } from './fact-cache.ts';

const longTime = 180_000;

const play = (task: string): string =>
  `- hosts: all\n  gather_facts: false\n  tasks: [{ ${task} }]\n`;

const files = {
  'write.yml': play('ansible.builtin.set_fact: { color: green, cacheable: true }'),
  'read.yml': play(
    'ansible.builtin.debug: { msg: "the color is {{ color | default(\'unknown\') }}" }',
  ),
};

const asked = '[defaults]\nfact_caching = jsonfile\nfact_caching_connection = ./facts\n';

/** A repository that other users may read. */
async function readable(given: Record<string, string>): Promise<string> {
  const path = await gitRepository(given);
  await chmod(path, 0o755);
  return path;
}

async function start(configuration = asked, runAs = 0) {
  const config = { path: realPrograms, ...(runAs > 0 && { runAs: makeRunUsers(runAs) }) };
  const runner = await testRunner({ config, isWaiting: true });
  await prepareIsolation(runner.config);
  await runner.start();
  const repository = await readable({ ...files, 'ansible.cfg': configuration });
  const run = async (playbook: string, given: TaskInput = {}) => {
    const { status, log } = await runner.run({ repository, playbook, ...given });
    expect([status, log]).toEqual(['success', log]);
    return /the color is (\w+)/.exec(log)?.[1];
  };
  return { runner, run, facts: join(runner.config.dataDir, 'facts') };
}

test(
  'facts outlive a run where a cache in files is asked for, for their own project only',
  { timeout: longTime },
  async () => {
    const { runner, run, facts } = await start();
    await run('write.yml');
    expect(await run('read.yml')).toBe('green');
    expect(await run('read.yml', { project: 2 })).toBe('unknown');
    expect((await stat(join(facts, '1'))).mode & 0o777).toBe(0o700);
    expect(await readdir(facts)).toEqual(['1', '2']);
    // One that has grown too large is removed and begins again.
    await writeFile(join(facts, '1', 'large'), '');
    await truncate(join(facts, '1', 'large'), 257 * 1024 * 1024);
    expect(await run('read.yml')).toBe('unknown');
    await run('write.yml');
    const past = new Date(Date.now() - 1000);
    await utimes(join(facts, '1'), past, past);
    expect(await clearCaches(runner.config, () => ({ repositories: [], since: Infinity }))).toBe(
      true,
    );
    expect(await run('read.yml')).toBe('unknown');
  },
);

test('no facts are kept where nobody asks for it', { timeout: longTime }, async () => {
  const { run, facts } = await start('[defaults]\nfact_caching = memory\n');
  await run('write.yml');
  expect(await run('read.yml')).toBe('unknown');
  expect(await readdir(facts).catch(() => [])).toEqual([]);
  const env = '{"ANSIBLE_CACHE_PLUGIN": "ansible.builtin.jsonfile"}';
  await run('write.yml', { env });
  expect(await run('read.yml', { env })).toBe('green');
});

test(
  'with users for tasks, the facts belong to the user of the run, and to nobody after it',
  { timeout: longTime },
  async () => {
    const { runner, run, facts } = await start(asked, 2);
    await run('write.yml');
    // The run is over a moment before its files are taken back.
    await until(async () => (await stat(join(facts, '1'))).uid === 0);
    expect(await run('read.yml')).toBe('green');
    const [name = ''] = await readdir(join(facts, '1'));
    const script = `cat ${join(facts, '1', name)}; ls ${join(facts, '1')}; echo tried\n`;
    const repository = await readable({ 'play.yml': script });
    const { log } = await runner.run({ app: 'bash', project: 2, repository });
    expect(log).toContain('tried');
    expect(log).not.toContain('green');
  },
);

test.each([
  [null, null, false],
  ['memory', './facts', false],
  ['redis', 'localhost:6379:0', false],
  ['jsonfile', null, true],
  ['ansible.builtin.jsonfile', './facts', true],
  ['community.general.yaml', '~/facts', true],
  ['pickle', '/tmp/facts', true],
  ['jsonfile', '/var/cache/facts', false],
])('a cache %s at %s is kept for the project: %s', (plugin, connection, isKept) => {
  expect(keepsFacts({ plugin, connection })).toBe(isKept);
});
