// The file into which programs of a task write outputs. It is in tmpfs, in a folder that belongs to the programs,
// because some of them replace a file instead of writing into it. So it may have become anything, such as a link.

import { constants, open, type FileHandle } from 'node:fs/promises';
import { MAX_OUTPUTS_KIB } from '#shared/api/task-outputs.ts';
import { tooLarge, WrongOutputs } from './parse-outputs.ts';

const MAX_BYTES = MAX_OUTPUTS_KIB * 1024;

/** Null: a program has removed the file. */
export async function readOutputsFile(path: string): Promise<Buffer | null> {
  const file = await openFile(path);
  if (!file) return null;
  try {
    const found = await file.stat();
    // A hard link may lead to a file that the program could not read.
    if (!found.isFile() || found.nlink > 1) throw new WrongOutputs('failure.outputs_file');
    return await contentOf(file);
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    // Follows no link, and does not block on a pipe without a writer.
    return await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (['ELOOP', 'EMLINK', 'ENXIO', 'EACCES'].includes(code)) {
      throw new WrongOutputs('failure.outputs_file');
    }
    throw error;
  }
}

/** Reads at most the limit, however long the file is. */
async function contentOf(file: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  throw tooLarge();
}
