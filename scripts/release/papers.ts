// What lies beside the artefacts: the list of all parts, the notes, and the checksums.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Checkout } from './checkout.ts';

interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: { version: string } };
}

/** The list of all parts as CycloneDX; the same checkout always makes the same bytes. */
export function writeSbom({ root, version, time }: Checkout, to: string): string {
  // The build sets NODE_ENV, and npm would leave out the packages of the console.
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--include=dev'];
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  const sbom = JSON.parse(text) as Sbom;
  sbom.metadata.timestamp = new Date(time * 1000).toISOString();
  sbom.serialNumber = '';
  sbom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(sbom))}`;
  const file = join(to, `signalbox-${version}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  return file;
}

/** An identifier that depends on the text only (UUID version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

export function writeNotes({ version, notes }: Checkout, to: string): string {
  const file = join(to, `signalbox-${version}.md`);
  writeFileSync(file, `# Signalbox ${version}\n\n${notes}\n`);
  return file;
}

/** The checksums of files, as `sha256sum -c` reads them. */
export function writeSums(files: string[], to: string): string {
  const lines = files.map((path) => {
    const sum = createHash('sha256').update(readFileSync(path)).digest('hex');
    return `${sum}  ${basename(path)}\n`;
  });
  const file = join(to, 'SHA256SUMS');
  writeFileSync(file, lines.toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(''));
  return file;
}
