// A real registry of images on this machine, with a login.

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export interface Registry {
  /** Its host with the port, the beginning of the names of its images. */
  host: string;
  login: string;
  password: string;
  close: () => Promise<void>;
}

const [login, password] = ['puller', 'pull-it'];
/** The password, as htpasswd stores it. */
const stored = 'puller:$2y$04$PctJMkvLX5aXS9X.urid1.ebHuH5tDsZTe34kIyU9SjtXjrV4dxXu';

export async function startRegistry(): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-registry-'));
  const host = `127.0.0.1:${await freePort()}`;
  await writeFile(join(folder, 'users'), `${stored}\n`);
  const config = {
    version: 0.1,
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: join(folder, 'images') } },
    http: { addr: host },
    auth: { htpasswd: { realm: 'images', path: join(folder, 'users') } },
  };
  await writeFile(join(folder, 'config.yml'), JSON.stringify(config));
  const server = spawn('docker-registry', ['serve', join(folder, 'config.yml')], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  await until(() =>
    fetch(`http://${host}/v2/`).then(
      ({ status }) => status === 401,
      () => false,
    ),
  );
  return {
    host,
    login,
    password,
    async close() {
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
