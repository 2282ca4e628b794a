// Reads settings of the server, and the words with which they are refused.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ConfigError } from '../../src/node/config-error.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { loadFileReaders } from '../../src/server/config/read-settings.ts';

/** Reads files that settings name. */
export const fileReaders = await loadFileReaders();

/** Writes a file with this text for the length of a test; returns its path. */
export function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'settings');
  writeFileSync(path, text);
  return path;
}

/** The words with which the server refuses these settings. */
export function refusal(environment: NodeJS.ProcessEnv): string {
  try {
    loadConfig(environment, fileReaders);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}
