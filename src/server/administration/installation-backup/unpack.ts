// Unpacks a backup into a work folder, and refuses unexpected members. Links are created last, so that no
// path leads through one.

import { createWriteStream } from 'node:fs';
import { chmod, lchown, mkdir, stat, statfs, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MIN_FREE_BYTES } from '../../../node/fs/disk-space.ts';
import { DamagedBackup, type ReadMember } from './archive-reader.ts';
import { staysWithin, keptFolders } from './data-files.ts';
import { members, type Manifest } from './manifest.ts';
import { settingsName } from './restore-target.ts';

/** The disk has too little room for what the backup contains. */
export class NoRoom extends Error {}

// Names in the work folder.
export const postgresFolder = 'postgres';
export const dumpName = `${postgresFolder}/database.pgdump`;
export const sqliteName = 'signalbox.db';

// In bytes; a file of settings is much shorter.
const MAX_SETTINGS_LENGTH = 16 * 1024 * 1024;
// Names that are longer cannot be files of a usual disk.
const MAX_PATH_LENGTH = 3000;

export class Unpacking {
  readonly #work: string;
  readonly #owner: { uid: number; gid: number } | null;
  /** The bytes that may still be written. */
  #left: number;
  readonly #folders = new Map<string, number>();
  readonly #links: { path: string; target: string }[] = [];
  #hasDatabase = false;
  files = 0;

  private constructor(work: string, left: number, owner: { uid: number; gid: number } | null) {
    this.#work = work;
    this.#left = left;
    this.#owner = owner;
  }

  /** As root, all files get the owner of the data folder. */
  static async into(work: string): Promise<Unpacking> {
    const { bavail, bsize } = await statfs(work);
    const { uid, gid } = await stat(work);
    const owner = process.getuid?.() === 0 ? { uid, gid } : null;
    return new Unpacking(work, bavail * bsize - MIN_FREE_BYTES, owner);
  }

  async take(member: ReadMember, engine: Manifest['engine']): Promise<void> {
    const { path, size } = member;
    if (path.length > MAX_PATH_LENGTH) throw new DamagedBackup('the path of a file is too long');
    this.#left -= size;
    if (this.#left < 0) throw new NoRoom();
    if (path === members[engine]) {
      this.#hasDatabase = true;
      return this.#write(engine === 'sqlite' ? sqliteName : dumpName, member, 0o600);
    }
    if (path === members.settings || path === members.identity) return this.#settings(member);
    if (!path.startsWith(members.data)) throw unknownMember(path);
    const inside = path.slice(members.data.length);
    if (!keptFolders.some((name) => inside === name || inside.startsWith(`${name}/`))) {
      throw unknownMember(path);
    }
    return this.#inDataFolder({ ...member, path: inside });
  }

  async #settings(member: ReadMember): Promise<void> {
    if (member.size > MAX_SETTINGS_LENGTH) throw new DamagedBackup(`${member.path} is too long`);
    await this.#folder(settingsName, 0o700);
    await this.#write(member.path.replace(/^.*\//, `${settingsName}/`), member, 0o600);
  }

  async #inDataFolder(member: ReadMember): Promise<void> {
    const { path, type, target, mode } = member;
    const parent = dirname(path);
    if (parent !== '.' && !this.#folders.has(parent)) {
      throw new DamagedBackup(`the folder of ${JSON.stringify(path)} is missing`);
    }
    if (type === 'folder') await this.#folder(path, mode);
    else if (type === 'file') await this.#write(path, member, mode);
    else if (staysWithin(path, target)) this.#links.push({ path, target });
    else throw new DamagedBackup(`the link ${JSON.stringify(path)} leads out of its folder`);
  }

  async #folder(path: string, mode: number): Promise<void> {
    if (this.#folders.has(path)) return;
    await once(path, () => mkdir(join(this.#work, path), { mode: 0o700 }));
    await this.#give(path);
    // A folder that its owner cannot write would stop what is unpacked into it.
    this.#folders.set(path, mode | 0o700);
  }

  async #write(path: string, { type, content, mtime }: ReadMember, mode: number): Promise<void> {
    if (type !== 'file') throw new DamagedBackup(`${JSON.stringify(path)} is no file`);
    const file = join(this.#work, path);
    const options = { flags: 'wx', mode: 0o600, flush: true };
    await once(path, () => pipeline(content, createWriteStream(file, options)));
    await utimes(file, mtime, mtime);
    await chmod(file, mode | 0o400);
    await this.#give(path);
    this.files += 1;
  }

  async #give(path: string): Promise<void> {
    if (this.#owner) await lchown(join(this.#work, path), this.#owner.uid, this.#owner.gid);
  }

  /** Creates the links, and sets the modes of folders. */
  async finish(): Promise<void> {
    if (!this.#hasDatabase) throw new DamagedBackup('it has no database');
    for (const { path, target } of this.#links) {
      await once(path, () => symlink(target, join(this.#work, path)));
      await this.#give(path);
    }
    for (const [path, mode] of [...this.#folders].toReversed()) {
      await chmod(join(this.#work, path), mode);
    }
  }
}

/** Reports a duplicate name as a damaged backup. */
async function once(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new DamagedBackup(`${JSON.stringify(path)} is in it twice`);
    if (code === 'ENAMETOOLONG') throw new DamagedBackup('the name of a file is too long');
    throw error;
  }
}

const unknownMember = (path: string): DamagedBackup =>
  new DamagedBackup(`${JSON.stringify(path)} is nothing that a backup contains`);
