// Writes the credential helpers of git for https addresses. Git itself matches the addresses, after redirects and
// rewrites by its settings, and calls the helper of the first match.

import type { OpenKey } from '../api/run-secrets.ts';
import { quoted } from '../programs/shell.ts';
import { makeProgram, tokenLogin } from '../workspace/credentials.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { filesByHost, unusableWords, type ScopedKey } from './keys-by-host.ts';

export interface Login {
  /** An address or a prefix of addresses, without a login. */
  url: string;
  key: OpenKey;
}

export const loginsIn = (keys: ScopedKey[]): Login[] =>
  keys.filter(({ scope }) => scope.scheme !== 'ssh').map(({ host, key }) => ({ url: host, key }));

/** Writes the configuration of git with these logins, most specific first; returns its path. */
export async function writeGitConfig(
  workspace: Workspace,
  logins: Login[],
  included: string[],
): Promise<string> {
  const sections: string[] = [];
  for (const [index, login] of logins.entries()) {
    const helper = await writeHelper(workspace, `${filesByHost}login-${index}`, login);
    // With the path, git-lfs too requests the login of the whole address.
    const settings = `\tuseHttpPath = true\n\thelper = ${inConfig(`!${quoted(helper)}`)}\n`;
    sections.push(`[credential ${inConfig(login.url)}]\n${settings}`);
  }
  const includes = included.map((path) => `[include]\n\tpath = ${inConfig(path)}\n`);
  const text = [...sections, ...includes].join('');
  return workspace.writeSecret(`${filesByHost}git.config`, text);
}

/** A quoted value of git's configuration. */
const inConfig = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Writes a credential helper. A login in the address has priority. */
async function writeHelper(
  workspace: Workspace,
  name: string,
  { url, key }: Login,
): Promise<string> {
  if (key.type !== 'login_password') {
    const words = quoted(unusableWords(url));
    const refusal = `#!/bin/sh\n[ "$1" = get ] || exit 0\necho ${words} >&2\necho quit=1\n`;
    return makeProgram(workspace, name, refusal);
  }
  const username = `username=${key.login || tokenLogin}\n`;
  const login = await workspace.writeSecret(`${name}.login`, username);
  const password = await workspace.writeSecret(`${name}.password`, `password=${key.password}\n`);
  const script = `#!/bin/sh
[ "$1" = get ] || exit 0
while IFS= read -r line; do
  case $line in username=?*) named=yes ;; esac
done
[ -n "$named" ] || cat ${quoted(login)}
exec cat ${quoted(password)}
`;
  return makeProgram(workspace, name, script);
}
