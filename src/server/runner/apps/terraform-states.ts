import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** Has a folder for each project, with what the runs of its templates leave for each other. */
export const statesOf = (config: Config): string => join(config.dataDir, 'terraform');
