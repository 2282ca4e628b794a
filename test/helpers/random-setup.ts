// Runs before each test file and gives fast-check the seed of this run.

import * as fc from 'fast-check';
import { runSeed } from './random.ts';

fc.configureGlobal({ seed: runSeed });
