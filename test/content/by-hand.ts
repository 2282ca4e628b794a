// Runs a playbook as people do in a terminal: a clone, and `ansible-playbook` in one of its folders.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HostResult } from '#shared/api/tasks.ts';
import { folder } from '../helpers/seed.ts';
import { until } from '../helpers/until.ts';

export interface ByHand {
  /** The PATH of the programs. */
  path: string;
  repository: string;
  /** Where the programs start, from the top of the repository. */
  workingFolder: string;
  /** From the working folder. */
  playbook: string;
  /** The path of an inventory from the top of the repository, or its text; null for none. */
  inventory: { path: string } | { text: string } | null;
  env: Record<string, string>;
  /** The arguments of calls of `ansible-galaxy` beforehand, and their folders. */
  galaxy: { folder: string; args: string[] }[];
  /** A private key for the agent of ssh. */
  sshKey?: string;
}

export interface Ending {
  isRight: boolean;
  hosts: HostResult[];
  /** All that was printed. */
  text: string;
}

const longestRunMs = 120_000;

/** Starts an agent of ssh, which ends with the test, and returns what lets programs reach it. */
async function agentWith(key: string): Promise<Record<string, string>> {
  const place = await folder();
  const [socket, file] = [join(place, 'agent'), join(place, 'key')];
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  onTestFinished(() => void agent.kill());
  await until(() => existsSync(socket));
  await writeFile(file, key, { mode: 0o600 });
  const env = { SSH_AUTH_SOCK: socket };
  execFileSync('ssh-add', ['-q', file], { env: { ...process.env, ...env } });
  return env;
}

/**
 * A new home, so that nothing of the user who runs the tests applies. Ansible alone would look for jobs in
 * the background of this machine in the home that /etc/passwd names.
 */
async function surroundings({ path, sshKey, env }: ByHand): Promise<Record<string, string>> {
  return {
    HOME: await folder(),
    ANSIBLE_ASYNC_DIR: await folder(),
    PATH: path,
    LANG: 'C.UTF-8',
    ANSIBLE_HOST_KEY_CHECKING: 'false',
    ...(sshKey !== undefined && (await agentWith(sshKey))),
    ...env,
  };
}

/** A relative path of an inventory counts from the working folder. */
async function inventoryArguments(given: ByHand, clone: string): Promise<string[]> {
  const { inventory } = given;
  if (inventory === null) return [];
  if ('path' in inventory) return ['-i', join(clone, inventory.path)];
  const file = join(await folder(), 'hosts');
  await writeFile(file, inventory.text);
  return ['-i', file];
}

export async function runByHand(given: ByHand): Promise<Ending> {
  const clone = join(await folder(), 'clone');
  execFileSync('git', ['clone', '-q', given.repository, clone]);
  const env = await surroundings(given);
  for (const { folder: place, args } of given.galaxy) {
    execFileSync('ansible-galaxy', args, { cwd: join(clone, place), env, stdio: 'pipe' });
  }
  const args = [...(await inventoryArguments(given, clone)), given.playbook];
  const { status, stdout, stderr } = spawnSync('ansible-playbook', args, {
    cwd: join(clone, given.workingFolder),
    // The recap is read from the usual output, whatever the repository prints.
    env: { ...env, ANSIBLE_STDOUT_CALLBACK: 'ansible.builtin.default', ANSIBLE_NOCOLOR: '1' },
    encoding: 'utf8',
    input: '',
    timeout: longestRunMs,
  });
  const text = stdout + stderr;
  return { isRight: status === 0, hosts: recapOf(text), text };
}

const recapLine = /^(?<host>\S+) +: (?<counts>(?:\S+=\d+ *){7})$/;

/** The lines below "PLAY RECAP". Where a count has the name of a secret, Ansible hides the name. */
function recapOf(text: string): HostResult[] {
  const lines = text.slice(text.lastIndexOf('PLAY RECAP')).split('\n');
  return lines.flatMap((line) => {
    const { host = '', counts = '' } = recapLine.exec(line)?.groups ?? {};
    if (host === '') return [];
    const [
      ok = 0,
      changed = 0,
      unreachable = 0,
      failed = 0,
      skipped = 0,
      rescued = 0,
      ignored = 0,
    ] = [...counts.matchAll(/=(\d+)/g)].map(([, count]) => Number(count));
    return { host, ok, changed, unreachable, failed, skipped, rescued, ignored };
  });
}
