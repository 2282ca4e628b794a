// Gives git the logins for addresses of https. Git itself compares the addresses, after redirects and
// after its settings have changed them, and asks the program of the first one that fits.

import type { OpenKey } from '../api/run-secrets.ts';
import { quoted } from '../programs/shell.ts';
import { makeProgram, tokenLogin } from '../workspace/credentials.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { filesByHost, unusableWords, type ScopedKey } from './keys-by-host.ts';

export interface Login {
  /** An address or the beginning of addresses, without a login. */
  url: string;
  key: OpenKey;
}

/** The logins for addresses with these prefixes. */
export const loginsIn = (keys: ScopedKey[]): Login[] =>
  keys.filter(({ scope }) => scope.scheme !== 'ssh').map(({ host, key }) => ({ url: host, key }));

/** Writes the configuration of git with these logins, the most specific first; returns its path. */
export async function writeGitConfig(
  workspace: Workspace,
  logins: Login[],
  included: string[],
): Promise<string> {
  const sections: string[] = [];
  for (const [index, login] of logins.entries()) {
    const helper = await writeHelper(workspace, `${filesByHost}login-${index}`, login);
    // With the path, git-lfs asks git for the whole address too.
    const settings = `\tuseHttpPath = true\n\thelper = ${inConfig(`!${quoted(helper)}`)}\n`;
    sections.push(`[credential ${inConfig(login.url)}]\n${settings}`);
  }
  const includes = included.map((path) => `[include]\n\tpath = ${inConfig(path)}\n`);
  const text = [...sections, ...includes].join('');
  return workspace.writeSecret(`${filesByHost}git.config`, text);
}

/** The text in the quotes of git's configuration. */
const inConfig = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Writes the program that git asks for a login. The address may contain one, which stays. */
async function writeHelper(
  workspace: Workspace,
  name: string,
  { url, key }: Login,
): Promise<string> {
  if (key.type !== 'login_password') {
    const words = quoted(unusableWords(url));
    return makeProgram(
      workspace,
      name,
      `#!/bin/sh\n[ "$1" = get ] || exit 0\necho ${words} >&2\necho quit=1\n`,
    );
  }
  const login = await workspace.writeSecret(
    `${name}.login`,
    `username=${key.login || tokenLogin}\n`,
  );
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
