// Captures errors of ssh and its server while git-lfs uses them. git-lfs hides or rewords them, depending on its
// version, so the ssh program of the run writes them into a file.

import { lchown, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAnew, type Workspace } from '../workspace/workspace.ts';

/** The variable with the path of the file, for the ssh program of the run. */
export const sshErrorsVariable = 'SIGNALBOX_SSH_ERRORS';

/** Calls `work` with a variable that makes ssh write its errors into a file; returns these errors too. */
export async function withSshErrors<T>(
  { dir, user }: Pick<Workspace, 'dir' | 'user'>,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<{ result: T; errors: string }> {
  const path = join(dir, 'ssh-errors');
  await writeAnew(path, '', 0o600);
  if (user) await lchown(path, user.uid, user.gid);
  try {
    const result = await work({ [sshErrorsVariable]: path });
    return { result, errors: relevantLines(await beginOf(path)) };
  } finally {
    await rm(path, { force: true });
  }
}

const MAX_BYTES = 64 * 1024;

async function beginOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

const MAX_LINES = 20;
const MAX_LINE_LENGTH = 500;

/** Whether a shell reports that the program does not exist. */
export const isMissing = (program: string, line: string): boolean =>
  line.includes(program) && line.includes('not found');

/** git-lfs retries, first with a protocol that few servers have. */
function relevantLines(text: string): string {
  const all = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const lines = [...new Set(all)].filter((line) => !line.startsWith('Warning: Permanently added'));
  const others = lines.filter((line) => !isMissing('git-lfs-transfer', line));
  return (others.length > 0 ? others : lines)
    .slice(0, MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_LENGTH))
    .join('\n');
}
