// `npm run settings-guide`: writes docs/guide/settings.md from the table of settings.

import { mkdirSync, writeFileSync } from 'node:fs';
import type { Setting } from '../src/server/config/setting-values.ts';
import { settings } from '../src/server/config/settings.ts';

const head = `# Settings

Made from \`src/server/config/settings.ts\` by \`npm run settings-guide\`.

Each setting is an environment variable, or a line \`NAME: value\` of the YAML or JSON file that \`SIGNALBOX_CONFIG\` names; the environment wins. A secret can also be read from a file: \`NAME_FILE\` names it. For the commands of an administrator, \`SIGNALBOX_ENVIRONMENT_FILES\` names the files from which a service has its environment, separated by colons: later files win, and the environment of the command wins over them. A wrong value stops the start with a sentence that says what it must be.

| setting | what it is for | must hold | without it |
|---|---|---|---|
`;

function row({ name, about, holds, initial, secret }: Setting): string {
  const without = initial === undefined ? '' : `\`${initial}\``;
  return `| \`${name}\`${secret ? ' (secret)' : ''} | ${about} | ${holds} | ${without} |\n`;
}

export const settingsGuide = head + settings.map(row).join('');

if (import.meta.main) {
  mkdirSync('docs/guide', { recursive: true });
  writeFileSync('docs/guide/settings.md', settingsGuide);
}
