// Runs the runner of a server in the process of the test, which starts faster than a process of its
// own and does the same.

import type { JWK } from 'jose';
import { runnerConfig } from '../../src/runner/config/runner-config.ts';
import { InspectionRunner } from '../../src/runner/inspections/inspection-runner.ts';
import { noGitKeys, type GitKeys } from '../../src/runner/api/run-secrets.ts';
import { startRunner } from '../../src/runner/start.ts';
import type { Log } from '../../src/node/log/log.ts';
import { openSealed } from '../../src/node/crypto/seal.ts';
import type { App } from '../../src/server/app.ts';
import type { Config } from '../../src/server/config/config.ts';
import type { Launch } from '../../src/server/runner-api/own-runner/launch.ts';

export const launchHere =
  (log: Log): Launch =>
  ({ config, ...place }) => {
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const started = startRunner(config, place, log);
    started.catch((error: unknown) => resolve(String(error)));
    return {
      ended,
      async end() {
        await (await started.catch(() => null))?.close();
        resolve('the end of the test');
      },
    };
  };

/** Answers inspections in tests that have started no runner; the answered function ends those under way. */
export function runInspections({ runner }: App, config: Config): () => Promise<void> {
  const all: InspectionRunner[] = [];
  const answered = new Set<number>();
  const { stateInspections } = runner;
  const answerAll = (): void => {
    const known = [...answered];
    const asked = [...runner.inspections.list(known), ...stateInspections.list(null, known)];
    for (const { look_id: id, look: inspection, time, sealed } of asked) {
      if (runner.signs.hasPolled) return;
      answered.add(id);
      // Tests change the settings between two inspections.
      const inspections = new InspectionRunner(runnerConfig(config));
      all.push(inspections);
      void openLookKeys(runner.privateKey, id, sealed)
        .then((keys) => inspections.run(inspection, keys, time))
        .then((seen) => {
          if (!seen) return;
          runner.inspections.settle(id, seen);
          stateInspections.answer(null, id, seen);
        });
    }
  };
  const ends = [runner.inspections.onChange(answerAll), stateInspections.onChange(answerAll)];
  return async () => {
    for (const end of ends) end();
    await Promise.all(all.map((inspections) => inspections.close()));
  };
}

const openLookKeys = async (key: JWK, id: number, sealed: string | null): Promise<GitKeys> =>
  sealed === null
    ? noGitKeys
    : ((await openSealed(key, { task: id, lease: 0 }, sealed)) as GitKeys);
