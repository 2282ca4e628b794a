// A server whose people are in a directory.

import type { Directory } from '../../src/server/config/directory-settings.ts';
import { parseIdentity } from '../../src/server/config/identity-file.ts';
import { testApp, type TestApp, type TestOptions } from './app.ts';
import { reader, suffix, type TestDirectory } from './slapd.ts';

interface ChosenCa {
  /** The content of the file of trusted certificates. */
  ca?: string;
}

/** The identity file for this directory. */
function directoryIdentity(directory: TestDirectory, change: object = {}, ca?: string) {
  const ldap = {
    url: directory.url,
    ca_file: 'ca.pem',
    bind_dn: reader.dn,
    bind_password: reader.password,
    base_dn: `ou=people,${suffix}`,
    user_filter: '(|(uid={login})(mail={login}))',
    timeout_s: 5,
    ...change,
  };
  return parseIdentity(JSON.stringify({ ldap }), () => ca ?? directory.ca);
}

/** A server that asks this directory. */
export async function appWith(
  directory: TestDirectory,
  change: object = {},
  options: TestOptions & ChosenCa = {},
): Promise<TestApp> {
  const identity = directoryIdentity(directory, change, options.ca);
  return testApp({ ...options, config: { identity } });
}

/** Changes the settings of the directory, as a new start with another identity file does. */
export function changeDirectory(app: TestApp, change: Partial<Directory>): void {
  const { ldap } = app.ctx.config.identity;
  if (!ldap) throw new Error('This server has no directory.');
  Object.assign(ldap, change);
}
