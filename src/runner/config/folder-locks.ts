import { KeyedMutex } from '../../node/async/keyed-mutex.ts';
import { stateOf } from '../../node/async/state-of.ts';
import type { RunnerConfig } from './runner-config.ts';

/** The mutex of a runner for the folders that its runs and inspections share, by their paths. */
export const folderLocksOf = stateOf((_config: RunnerConfig) => new KeyedMutex());
