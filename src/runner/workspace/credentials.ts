// Passes keys to programs without arguments, environment variables or files on disk: ssh keys by an agent, passwords by
// files in memory that only the run's user can read.

import { setTimeout as delay } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { noteHelper } from '../programs/helpers.ts';
import { runTool, startDetached } from '../programs/process.ts';
import { quoted } from '../programs/shell.ts';
import { isThere } from './run-files.ts';
import { writeAnew, type Workspace } from './workspace.ts';
import type { GitKeys, OpenKey } from '../api/run-secrets.ts';

export type Environment = Record<string, string>;
type SshKey = Extract<OpenKey, { type: 'ssh' }>;

/** The texts of a key that must not appear in a log. */
export function secretsOf(key: OpenKey): string[] {
  switch (key.type) {
    case 'none':
      return [];
    case 'login_password':
      return [key.password];
    case 'ssh':
      return [key.passphrase, key.private_key];
  }
}

/** The texts of all keys of a repository that must not appear in a response. */
export const secretsIn = ({ own, byHost }: GitKeys): string[] =>
  [own, ...byHost.map(({ key }) => key)].flatMap(secretsOf);

export interface Agent {
  socket: string;
  stop: () => void;
}

const agentStartMs = 20_000;
const keyAddMs = 20_000;

/** ssh-add has refused a key. */
export class KeyNotLoaded extends Error {
  /** Whether it prompted for a passphrase. */
  readonly isEncrypted: boolean;

  constructor(isEncrypted: boolean) {
    super('The ssh key could not be loaded. Check the key and its passphrase.');
    this.isEncrypted = isEncrypted;
  }
}

/** Starts an ssh-agent with a key, or with each key of a text with several; `signal` aborts it. */
export async function startAgent(
  workspace: Workspace,
  { name, key, signal }: { name: string; key: SshKey; signal?: AbortSignal },
  env: Environment,
): Promise<Agent> {
  const socket = workspace.ownPath(`${name}.sock`);
  // An earlier agent leaves its socket.
  await rm(socket, { force: true });
  const shared = { cwd: workspace.dir, env, user: workspace.user };
  const agent = startDetached({ ...shared, command: 'ssh-agent', args: ['-D', '-a', socket] });
  if (agent.pid !== null) await noteHelper(workspace.dir, name, agent.pid);
  try {
    await untilExists(socket);
    const askpass = await writeAskpass(workspace, name, key.passphrase);
    const asked = { SSH_ASKPASS: askpass.path, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' };
    const place = { ...shared, env: { ...env, SSH_AUTH_SOCK: socket, ...asked } };
    for (const text of keysIn(key.private_key)) {
      await rm(askpass.asked, { force: true });
      if ((await addKey(text, place, signal)) === 0) continue;
      signal?.throwIfAborted();
      throw new KeyNotLoaded(await isThere(askpass.asked));
    }
    return { socket, stop: agent.stop };
  } catch (error) {
    agent.stop();
    throw error;
  }
}

/** The keys in a text, of which ssh-add reads only the first. */
function keysIn(text: string): string[] {
  const begin = /^(?=-----BEGIN )/m;
  const keys = text.split(begin).filter((part) => begin.test(part));
  return keys.length > 1 ? keys : [text];
}

// The exit code of ssh-add without an agent: the socket exists before the agent listens.
const noAgent = 2;

/** Returns the exit code of ssh-add. */
async function addKey(
  input: string,
  place: { cwd: string; env: Environment; user: Workspace['user'] },
  signal?: AbortSignal,
): Promise<number | null> {
  const end = Date.now() + agentStartMs;
  for (;;) {
    const tool = { ...place, command: 'ssh-add', args: ['-q', '-'], input };
    const late = AbortSignal.timeout(keyAddMs);
    const { exitCode } = await runTool(tool, signal ? AbortSignal.any([signal, late]) : late);
    if (exitCode !== noAgent || Date.now() > end) return exitCode;
    await delay(20);
  }
}

async function untilExists(path: string): Promise<void> {
  const end = Date.now() + agentStartMs;
  while (Date.now() < end) {
    if (await isThere(path)) return;
    await delay(5);
  }
  throw new Error('ssh-agent did not start. Is OpenSSH installed on the server?');
}

/**
 * Writes a program that answers one prompt for each key and fails at the next one, after a wrong passphrase. The file
 * `asked` exists after a prompt.
 */
async function writeAskpass(
  workspace: Workspace,
  name: string,
  secret: string,
): Promise<{ path: string; asked: string }> {
  const answer = await workspace.writeSecret(`${name}.pass`, secret);
  const asked = workspace.ownPath(`${name}.asked`);
  const script = `#!/bin/sh\n[ -e ${quoted(asked)} ] && exit 1\n: > ${quoted(asked)}\nexec cat ${quoted(answer)}\n`;
  return { path: await makeProgram(workspace, `${name}.askpass`, script), asked };
}

/** Writes a script to the run's folder, because some systems mount memory file systems with noexec. */
export async function makeProgram(
  workspace: Workspace,
  name: string,
  script: string,
): Promise<string> {
  const path = join(workspace.dir, name);
  // The script contains only the paths of secrets.
  await writeAnew(path, script, workspace.user ? 0o755 : 0o700);
  return path;
}

export interface GitCredentials {
  env: Environment;
  /** Withdraws the key. */
  stop: () => Promise<void>;
}

/** The environment by which git can use the key of a repository. */
export async function gitCredentials(
  workspace: Workspace,
  { name, url, key }: { name: string; url: string; key: OpenKey },
  env: Environment,
): Promise<GitCredentials> {
  const none = { env: {}, stop: () => Promise.resolve() };
  if (key.type === 'none') return none;
  if (key.type === 'ssh') {
    const agent = await startAgent(workspace, { name, key }, env);
    return { env: { SSH_AUTH_SOCK: agent.socket }, stop: async () => agent.stop() };
  }
  const [, scheme, authority = ''] = /^(https?:\/\/)([^/]+)\//.exec(url) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (!scheme || !host) return none;
  const login = await workspace.writeSecret(`${name}.login`, key.login || tokenLogin);
  const password = await workspace.writeSecret(`${name}.password`, key.password);
  // Git and git-lfs prompt for each host after redirects. Only the repository's host gets an answer.
  const script = `#!/bin/sh
case "$1" in
  ${quoted(`Username for '${scheme}${host}': `)} | ${quoted(`Username for "${scheme}${host}"`)}) exec cat ${quoted(login)} ;;
  ${quoted(`Password for '${scheme}`)}*${quoted(`@${host}': `)} | ${quoted(`Password for "${scheme}`)}*${quoted(`@${host}"`)}) exec cat ${quoted(password)} ;;
esac
exit 1
`;
  return {
    env: { GIT_ASKPASS: await makeProgram(workspace, `${name}.git`, script) },
    // The programs of the task must not read these files.
    stop: async () => {
      for (const path of [login, password]) await rm(path, { force: true });
    },
  };
}

// Without a login, the password is a token. Most servers accept any login with a token; some require this one.
export const tokenLogin = 'x-token-auth';

export interface SshOptions {
  /** The file of pinned host keys; null: host keys are not verified. */
  knownHosts: string | null;
  /** The login for addresses without one; empty: none. */
  login: string;
  /** Whether ssh may prompt for a password, because sshpass answers. */
  mayAsk: boolean;
}

/** The ssh client configuration of a run; ssh pins host keys on first use. */
export function sshConfig({ knownHosts, login, mayAsk }: SshOptions): string {
  const lines = [
    'Host *',
    knownHosts === null
      ? '  UserKnownHostsFile /dev/null\n  StrictHostKeyChecking no'
      : // By default, a custom file disables UpdateHostKeys.
        `  UserKnownHostsFile "${knownHosts.replaceAll('%', '%%')}"\n  StrictHostKeyChecking accept-new\n  UpdateHostKeys yes`,
    '  HashKnownHosts no',
    ...(mayAsk ? [] : ['  BatchMode yes']),
    // A login in the address has priority.
    ...(/^[\w.@+-]+$/.test(login) ? [`  User ${login}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
