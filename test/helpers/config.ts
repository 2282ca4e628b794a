// Settings of the server, and how they are refused.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ConfigError } from '../../src/runner/system/config.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { loadFileReaders } from '../../src/server/config/read-settings.ts';

/** Reads the files that settings name. */
export const fileReaders = await loadFileReaders();

/** A file of this text, for the length of a test; answers its path. */
export function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'settings');
  writeFileSync(path, text);
  return path;
}

/** The words with which these settings are refused. */
export function refusal(environment: NodeJS.ProcessEnv): string {
  try {
    loadConfig(environment, fileReaders);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}
