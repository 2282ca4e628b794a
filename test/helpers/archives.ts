// Reads tar archives by the tar of the system, as administrators would.

import { execFileSync } from 'node:child_process';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { folder } from './seed.ts';

/** The members of an archive in their order, with the contents of files. */
export async function unpack(archive: Buffer): Promise<Map<string, Buffer>> {
  const input = zstdDecompressSync(archive);
  const place = await folder();
  execFileSync('tar', ['-x', '--no-same-owner', '-C', place], { input });
  const listed = execFileSync('tar', ['-t'], { input }).toString().trim().split('\n');
  const members = new Map<string, Buffer>();
  for (const path of listed) {
    const isFile = (await lstat(join(place, path))).isFile();
    members.set(path, isFile ? await readFile(join(place, path)) : Buffer.alloc(0));
  }
  return members;
}
