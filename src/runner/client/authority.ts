// Adds an authority for the certificate of the server to those that Node trusts, for the whole process, which
// sends requests to no other server; git has its own setting.

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ConfigError } from '../../node/config-error.ts';
import type { RunnerConfig } from '../config/runner-config.ts';

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function trustAuthority({ serverCaFile }: Pick<RunnerConfig, 'serverCaFile'>): void {
  if (serverCaFile === null) return;
  setDefaultCACertificates([...getCACertificates('default'), ...readCertificates(serverCaFile)]);
}

function readCertificates(path: string): string[] {
  try {
    const found = readFileSync(path, 'utf8').match(block) ?? [];
    for (const text of found) void new X509Certificate(text);
    if (found.length > 0) return found;
  } catch (cause) {
    throw unusable(path, (cause as Error).message, cause);
  }
  throw unusable(path, 'it holds no certificate in the form PEM');
}

const unusable = (path: string, reason: string, cause?: unknown): ConfigError =>
  new ConfigError(`SIGNALBOX_SERVER_CA_FILE (${path}) cannot be used: ${reason}.`, { cause });
