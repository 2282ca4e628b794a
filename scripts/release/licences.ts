// The licences of the packages that are parts of the built server and console, as the builds list them.

import { readFileSync, rmSync } from 'node:fs';

interface Licence {
  name: string;
  version: string;
  /** The short name of the licence; null: the package names none. */
  identifier: string | null;
  text: string | null;
}

const head = `# Licences of other parts

Signalbox is under the licence in the file LICENSE. Its program contains these packages, each under the licence that stands here.
`;

/** Merges the licences of several builds into one document, and removes the lists. */
export function licencesOf(lists: string[]): string {
  const found = new Map<string, Licence>();
  for (const list of lists) {
    for (const one of JSON.parse(readFileSync(list, 'utf8')) as Licence[]) {
      found.set(`${one.name} ${one.version}`, one);
    }
    rmSync(list);
  }
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return head + sorted.map(([title, licence]) => section(title, licence)).join('');
}

const section = (title: string, { identifier, text }: Licence): string =>
  `\n## ${title}${identifier ? ` (${identifier})` : ''}\n${text ? `\n${text.trim()}\n` : ''}`;
