// Scripts that print lines as fast as they can, and what it takes without us.

import { spawn } from 'node:child_process';

/** A script that prints so many lines. */
export const flood = (lines: number): string =>
  `exec awk 'BEGIN { for (i = 1; i <= ${lines}; i++) printf "ok: [host-%d.example.com] => (item=package-%d) changed=0\\n", i % 40, i }'\n`;

/** Runs a script whose output goes into a file, and waits for the disk. */
export async function runIntoFile(script: string, file: string): Promise<void> {
  const command = `bash '${script}' | dd of='${file}' conv=fsync status=none`;
  const child = spawn('sh', ['-c', command], { stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error('The lines were not written into a file.');
}
