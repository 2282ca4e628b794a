// Serves packages of Python that the tests make themselves, as an index on this machine.

import { execFileSync } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { folder } from './seed.ts';

const makeWheel = `
import sys, zipfile
folder, name, version, lines = sys.argv[1:]
with zipfile.ZipFile(f'{folder}/{name}-{version}-py3-none-any.whl', 'w') as wheel:
    info = f'{name}-{version}.dist-info/'
    wheel.writestr(f'{name}.py', f'version = "{version}"\\n' + lines)
    wheel.writestr(info + 'METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'entry_points.txt', f'[console_scripts]\\n{name} = {name}:main\\n')
    wheel.writestr(info + 'RECORD', '')
`;

const printVersion = `
def main():
    import sys
    print(__name__, version, sys.prefix)
`;

interface PackageIndex {
  /** The address for pip. */
  url: string;
  /** The paths that were asked for. */
  seen: string[];
  /** Adds a package whose program of the same name prints its name, its version and its environment. */
  add: (name: string, version: string) => void;
  /** Answers nothing from now on; returns what ends that. */
  hold: () => () => void;
}

export async function startPackageIndex(): Promise<PackageIndex> {
  const place = await folder();
  const seen: string[] = [];
  let held: (() => void)[] | null = null;
  const answer = async (path: string, reply: ServerResponse): Promise<void> => {
    const [, kind = '', name = ''] = path.split('/');
    if (kind === 'files') {
      reply.end(await readFile(join(place, name)));
      return;
    }
    const files = (await readdir(place)).filter((file) => file.startsWith(`${name}-`));
    if (files.length === 0) {
      reply.writeHead(404).end();
      return;
    }
    const links = files.map((file) => `<a href="/files/${file}">${file}</a>`);
    reply.setHeader('content-type', 'text/html');
    reply.end(`<!DOCTYPE html><html><body>${links.join('\n')}</body></html>`);
  };
  const server = createServer((asked, reply) => {
    const path = asked.url ?? '';
    seen.push(path);
    const begin = (): void => {
      answer(path, reply).catch(() => reply.destroy());
    };
    if (held) held.push(begin);
    else begin();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/simple`,
    seen,
    add: (name, version) =>
      void execFileSync('python3', ['-c', makeWheel, place, name, version, printVersion]),
    hold: () => {
      const waiting: (() => void)[] = [];
      held = waiting;
      return () => {
        held = null;
        for (const begin of waiting) begin();
      };
    },
  };
}
