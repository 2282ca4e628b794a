// Runs before each test file: what fast-check chooses comes from the seed of this run.

import * as fc from 'fast-check';
import { runSeed } from './random.ts';

fc.configureGlobal({ seed: runSeed });
