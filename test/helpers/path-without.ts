import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { folder } from './seed.ts';

/** A folder with links to all programs of a PATH but one. */
export async function pathWithout(missing: string, path = process.env['PATH']): Promise<string> {
  const links = join(await folder(), 'bin');
  await mkdir(links);
  for (const place of String(path).split(':')) {
    for (const name of await readdir(place).catch(() => [])) {
      if (name === missing) continue;
      await symlink(join(place, name), join(links, name)).catch(() => undefined);
    }
  }
  return links;
}
