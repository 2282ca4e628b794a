// The ssh program of git: for each connection it selects the configuration, and with it the key. It receives the
// host and the path to which git really connects, after rewrites by git's settings.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { scopeOfAddress, type KeyScope } from '#shared/git/host-config.ts';
import { quoted } from '../programs/shell.ts';
import { unusableWords, type ScopedKey } from './keys-by-host.ts';

const source = fileURLToPath(new URL('./git-ssh.sh', import.meta.url));

export interface SshKeys {
  /** The configuration with the key of the repository; null: the user's. */
  config: string | null;
  /** The configuration of the keys by host. */
  others: string;
  /** The address that always uses the key of the repository; null: none. */
  ownUrl: string | null;
  /** The keys by host, most specific first, each with the socket of its agent. */
  byHost: (ScopedKey & { agent: string })[];
}

export async function gitSshProgram({ config, others, ownUrl, byHost }: SshKeys): Promise<string> {
  const own = ownUrl === null ? null : scopeOfAddress(ownUrl);
  const choices = [
    ...(own ? [`  if ${matches(own)}; then return; fi\n`] : []),
    ...byHost.map((one) => `  if ${matches(one.scope)}; then ${connect(one)}; fi\n`),
  ];
  const set = `config=${quoted(config ?? '')}\nothers=${quoted(others)}\n`;
  const choose = `choose() {\n${choices.join('')}  return\n}\n`;
  return `#!/bin/sh\n${set}${choose}${await readFile(source, 'utf8')}`;
}

const matches = ({ host, port, user, path }: KeyScope): string =>
  ['matches', ...[host, String(port ?? ''), user, path].map(quoted)].join(' ');

/** The commands that use the key, and neither another key nor the user's configuration. */
function connect({ key, host, agent }: ScopedKey & { agent: string }): string {
  if (key.type !== 'ssh' || agent === '') return `echo ${quoted(unusableWords(host))} >&2; exit 1`;
  const login = key.login === '' ? '' : `[ -n "$user" ] || set -- -l ${quoted(key.login)} "$@"; `;
  const options = ['-o', `IdentityAgent=${agent}`, '-o', 'IdentityFile=none'].map(quoted);
  return `${login}exec ssh -F "$others" ${options.join(' ')} "$@"`;
}
