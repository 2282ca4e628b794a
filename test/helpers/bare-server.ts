// Starts only the HTTP server, with limits, headers and the files of a console, but without nouns.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { loadConfig, type Config } from '../../src/server/config/config.ts';
import { createServer } from '../../src/server/http/server.ts';
import { createLog } from '../../src/node/log/log.ts';
import { folder } from './seed.ts';

/** The bare server with a console of two files. */
export async function bareServer(
  change: Partial<Config> = {},
  web = true,
): Promise<FastifyInstance> {
  const webDir = await folder();
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(join(webDir, 'index.html'), '<html><style nonce="__CSP_NONCE__"></style></html>');
  writeFileSync(join(webDir, 'api-docs.html'), '<html></html>');
  writeFileSync(join(webDir, 'beside.svg'), '<svg/>');
  writeFileSync(join(webDir, 'assets', 'main-1.js'), 'export {};');
  writeFileSync(join(webDir, '..', 'outside.txt'), 'outside');
  const config = { ...loadConfig({}), ...change };
  const server = await createServer(config, createLog('silent'), web ? webDir : null);
  onTestFinished(() => server.close());
  return server;
}
