// Lists the programs of Python 3 in the folders of a PATH.

import { readdir } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

const MAX_LISTED = 50;

/** The Pythons on the PATH, those with the wanted name first. */
export async function listPythons(path: string, version: string): Promise<string[]> {
  const places = [...new Set(path.split(delimiter).filter(isAbsolute))];
  const lists = await Promise.all(
    places.map(async (place) => {
      const names = await readdir(place).catch(() => []);
      return names.filter((one) => /^python3(?:\.\d+)?$/.test(one)).map((one) => join(place, one));
    }),
  );
  const all = lists.flat();
  const [major = '3', minor] = version.split('.');
  const first = minor === undefined ? `python${major}` : `python${major}.${minor}`;
  const isFirst = (program: string): boolean => program.endsWith(`/${first}`);
  return [...all.filter(isFirst), ...all.filter((one) => !isFirst(one))].slice(0, MAX_LISTED);
}
