// Passes keys to programs without arguments, environment variables or lasting files: ssh keys through
// an agent, passwords through files in memory that only the run's user can read.

import { setTimeout as delay } from 'node:timers/promises';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { noteHelper } from '../programs/helpers.ts';
import { runTool, startDetached } from '../programs/process.ts';
import { quoted } from '../programs/shell.ts';
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

/** The texts of all keys of a repository that must not appear in an answer. */
export const secretsIn = ({ own, byHost }: GitKeys): string[] =>
  [own, ...byHost.map(({ key }) => key)].flatMap(secretsOf);

export interface Agent {
  socket: string;
  stop: () => void;
}

const agentStartMs = 20_000;
const keyAddMs = 20_000;

/** ssh-add does not load a key. */
export class KeyNotLoaded extends Error {
  /** Whether it has asked for a passphrase. */
  readonly isEncrypted: boolean;

  constructor(isEncrypted: boolean) {
    super('The ssh key could not be loaded. Check the key and its passphrase.');
    this.isEncrypted = isEncrypted;
  }
}

/** Starts an ssh-agent that holds a key, or each key of a text with several; `signal` gives it up. */
export async function startAgent(
  workspace: Workspace,
  { name, key, signal }: { name: string; key: SshKey; signal?: AbortSignal },
  env: Environment,
): Promise<Agent> {
  const socket = workspace.ownPath(`${name}.sock`);
  // The agent of an earlier step has left its socket.
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
      throw new KeyNotLoaded(await exists(askpass.asked));
    }
    return { socket, stop: agent.stop };
  } catch (error) {
    agent.stop();
    throw error;
  }
}

/** Pure: the keys in a text, of which ssh-add takes only the first. */
function keysIn(text: string): string[] {
  const begin = /^(?=-----BEGIN )/m;
  const keys = text.split(begin).filter((part) => begin.test(part));
  return keys.length > 1 ? keys : [text];
}

// The exit code of ssh-add when no agent answers: the socket exists before the agent listens.
const noAgent = 2;

/** Adds a key to the agent and returns the exit code of ssh-add. */
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

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function untilExists(path: string): Promise<void> {
  const end = Date.now() + agentStartMs;
  while (Date.now() < end) {
    if (await exists(path)) return;
    await delay(5);
  }
  throw new Error('ssh-agent did not start. Is OpenSSH installed on the server?');
}

/**
 * Writes a program that answers ssh-add once for each key; when asked again after a wrong passphrase, it
 * fails. The file `asked` exists when it was asked.
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

/** Writes a script to the run's folder, because some systems forbid running files in memory. */
export async function makeProgram(
  workspace: Workspace,
  name: string,
  script: string,
): Promise<string> {
  const path = join(workspace.dir, name);
  // The script contains no secret, only the path of one.
  await writeAnew(path, script, workspace.user ? 0o755 : 0o700);
  return path;
}

export interface GitCredentials {
  env: Environment;
  /** Removes the key again. */
  stop: () => Promise<void>;
}

/** The environment with which git can use the key of a repository. */
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
  // Git and git-lfs ask for each host that they are led to. Only the repository's own gets an answer.
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

// A key without a login holds a token. Most servers accept any login with a token; some need this one.
export const tokenLogin = 'x-token-auth';

export interface SshOptions {
  /** The file of pinned host keys; null: host keys are not checked. */
  knownHosts: string | null;
  /** The login, if the address has none; empty: there is none. */
  login: string;
  /** Whether ssh may ask for a password, because sshpass answers. */
  mayAsk: boolean;
}

/** The ssh client's configuration of a run; ssh pins host keys at first sight. */
export function sshConfig({ knownHosts, login, mayAsk }: SshOptions): string {
  const lines = [
    'Host *',
    knownHosts === null
      ? '  UserKnownHostsFile /dev/null\n  StrictHostKeyChecking no'
      : // With a file of its own, ssh would not learn the other keys that a known host proves to have.
        `  UserKnownHostsFile "${knownHosts.replaceAll('%', '%%')}"\n  StrictHostKeyChecking accept-new\n  UpdateHostKeys yes`,
    '  HashKnownHosts no',
    ...(mayAsk ? [] : ['  BatchMode yes']),
    // A login in the address takes precedence over this one.
    ...(/^[\w.@+-]+$/.test(login) ? [`  User ${login}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
