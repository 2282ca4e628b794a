// The requests of the runner of a cluster to the side-car of a pod, each a file that `kubectl exec` would write: it says
// which task to run, and when to stop it.

import { watch } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunnerConfig } from '../config/runner-config.ts';

/** The settings of the runner that hold for the task; the others belong to its machine. */
export type SentConfig = Pick<
  RunnerConfig,
  | 'publicUrl'
  | 'pinSshHostKeys'
  | 'taskLimits'
  | 'requireTaskLimits'
  | 'proxies'
  | 'taskEnvironment'
  | 'logLevel'
>;

const begin = z.object({
  kind: z.literal('begin'),
  /** That of the runner, which has to be that of the side-car. */
  version: z.string(),
  task_id: z.number(),
  lease: z.number(),
  /** The server as the pod reaches it. */
  url: z.string(),
  /** Valid for this task and lease only. */
  credential: z.string(),
  config: z.custom<SentConfig>(),
  /** The certificates (PEM) that the runner trusts besides the usual ones; null: none. */
  server_ca: z.string().nullable(),
  git_ca: z.string().nullable(),
});
export type BeginRequest = z.output<typeof begin>;

const sideCarRequest = z.discriminatedUnion('kind', [
  begin,
  z.object({ kind: z.literal('stop'), force: z.boolean() }),
  /** The image of the main container, which runs now. */
  z.object({ kind: z.literal('image'), name: z.string(), digest: z.string() }),
]);
export type SideCarRequest = z.output<typeof sideCarRequest>;

const lookMs = 1000;

/** Returns the requests as they arrive. One whose transfer was interrupted is skipped: the runner sends it again. */
export async function* readRequests(
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<SideCarRequest, void> {
  await mkdir(folder, { recursive: true });
  let changed = Promise.withResolvers<void>();
  const changes = watch(folder, { signal }, () => changed.resolve());
  changes.on('error', () => undefined);
  while (!signal.aborted) {
    changed = Promise.withResolvers();
    // A file that begins with a dot is not complete.
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();
    for (const name of names) {
      const path = join(folder, name);
      const request = parse(await readFile(path, 'utf8'));
      await rm(path, { force: true });
      if (request) yield request;
    }
    const timer = setTimeout(changed.resolve, lookMs);
    if (names.length === 0) await changed.promise;
    clearTimeout(timer);
  }
}

function parse(text: string): SideCarRequest | null {
  try {
    return sideCarRequest.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
