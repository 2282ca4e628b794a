// The program that tests start as a process.

import { join } from 'node:path';
import { findBuiltServer } from '../../bin/built-server.js';

const root = join(import.meta.dirname, '../..');

/**
 * The main file of the server: of the build that \`npm test\` makes, which starts in half the time
 * and is what people run; or of the sources, if they have changed since.
 */
export const serverMain = findBuiltServer(root) ?? join(root, 'src/server/main.ts');
