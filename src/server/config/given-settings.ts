// The settings that differ from the defaults, without secrets, for a backup.

import { readSettings, type FileReaders, type Values } from './read-settings.ts';
import type { Setting } from './setting-values.ts';
import { settings } from './settings.ts';

export interface GivenSettings {
  /** Lines of NAME="value", as systemd and shells read them. */
  lines: string;
  /** The identity file without its secrets; null if there is none. */
  identity: string | null;
}

export function givenSettings(
  environment: NodeJS.ProcessEnv,
  readers: FileReaders | null,
): GivenSettings {
  const { values } = readSettings(environment, readers);
  const { SIGNALBOX_IDENTITY_FILE: path } = values;
  return {
    lines: settings.map((setting: Setting) => lineOf(setting, values)).join(''),
    identity: path === undefined ? null : (readers?.identityWithoutSecrets(path) ?? null),
  };
}

function lineOf({ name, initial, secret }: Setting, values: Values): string {
  const value = values[name as keyof Values];
  if (value === undefined || value === initial) return '';
  if (secret) return `# ${name} is set; its value is secret, and not in the backup.\n`;
  return `${name}="${value.replaceAll(/[\\"$`]/g, '\\$&')}"\n`;
}
