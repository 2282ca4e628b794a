// Foreign files and texts, read by a program of its own that is limited in memory and time: the
// process that answers people parses nothing that others have written.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunUser } from '../system/run-as.ts';
import { runTool } from '../programs/process.ts';
import { resolveInside } from './inside.ts';
import type { Answers, FilePlace, Order, ReadFile, TerraformAnswer } from './orders.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));

/** Seconds of the processor. */
const mostSeconds = 10;
/** MiB of memory: far more than any file asks for that was written by a person. */
const mostMemory: Record<Order['about'], number> = { files: 64, terraform: 64, inventory: 256 };
/** Milliseconds, for when the machine is busy. */
const mostTime = 60_000;
/** Bytes of an answer. */
const mostAnswer = 8 * 1024 * 1024;

// Who is ended for its memory leaves no image of it on the disk.
const limits = `ulimit -c 0; ulimit -t ${mostSeconds}; exec "$@"`;

/** Null: it took too much memory or time, or its answer would. */
async function ask<About extends Order['about']>(
  order: Extract<Order, { about: About }>,
  signal?: AbortSignal,
): Promise<Answers[About] | null> {
  const time = AbortSignal.timeout(mostTime);
  const node = [process.execPath, `--max-old-space-size=${mostMemory[order.about]}`, program];
  const command = {
    command: '/bin/sh',
    args: ['-c', limits, 'sh', ...node],
    cwd: '/',
    env: {},
    input: JSON.stringify(order),
    outputLimit: mostAnswer,
  };
  const { exitCode, stdout } = await runTool(
    command,
    signal ? AbortSignal.any([signal, time]) : time,
  );
  signal?.throwIfAborted();
  return exitCode === 0 ? (JSON.parse(stdout) as Answers[About]) : null;
}

/** The checkout of a run. */
export interface CheckoutAccess {
  /** Who reads; null: the user of the server. */
  user: RunUser | null;
  signal: AbortSignal;
  /** Hears of files that are refused. */
  say: (lines: string[]) => Promise<void>;
}

export interface WantedFile extends FilePlace {
  as: 'text' | 'requirements';
}

/** The files that are there and may be read, in the order of those that are wanted. */
export async function readFiles(
  wanted: WantedFile[],
  { user, signal, say }: CheckoutAccess,
): Promise<(ReadFile | null)[]> {
  const some = wanted.filter(mayExist);
  if (some.length === 0) return wanted.map(() => null);
  const files = await ask({ about: 'files', user: idsOf(user), files: some }, signal);
  const found = new Map<WantedFile, ReadFile>();
  for (const [index, file] of some.entries()) {
    const answer = files === null ? { refused: tooMuch } : (files[index] ?? null);
    if (answer && 'refused' in answer) await say([refusal(file.path, answer.refused)]);
    else if (answer) found.set(file, answer);
  }
  return wanted.map((file) => found.get(file) ?? null);
}

/** Whether a Terraform configuration says where its state is kept. */
export async function lookAtTerraform(
  folder: FilePlace,
  { user, signal, say }: CheckoutAccess,
): Promise<TerraformAnswer> {
  const answer = await ask({ about: 'terraform', user: idsOf(user), folder }, signal);
  if (answer === null) throw new Error(`The configuration is not read: ${tooMuch}.`);
  await say(answer.refused.map(({ name, why }) => refusal(join(folder.path, name), why)));
  return answer;
}

/** What `ansible-inventory` has printed; null: it is too much. */
export const readInventory = (
  text: string,
  signal: AbortSignal,
): Promise<Answers['inventory'] | null> => ask({ about: 'inventory', user: null, text }, signal);

const tooMuch = 'it takes too much memory or time to read';
const refusal = (path: string, why: string): string => `${path} is not read: ${why}.`;

const idsOf = (user: RunUser | null) => user && { uid: user.uid, gid: user.gid };

/**
 * Looks at names only, so that nothing is started for what is not there. Of the whole machine only
 * the user of the run may tell what is there.
 */
const mayExist = ({ root, path }: FilePlace): boolean =>
  root === '/' || resolveInside(root, path) !== 'absent';

/** The real path of a file of a checkout; a link must not lead out of it. */
export function insideOnly(folder: string, path: string, what: string): string {
  const way = resolveInside(folder, path);
  if (way === 'absent') throw new Error(`The ${what} "${path}" is not in the repository.`);
  if (way === 'outside') throw new Error(`The ${what} "${path}" lies outside the repository.`);
  return join(folder, ...way.parts);
}
