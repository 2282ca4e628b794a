// A PostgreSQL of the version that the compose files name, in a container beside that of the server.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../test/helpers/until.ts';
import { buildah } from '../trial/programs.ts';
import { type Container, runInside, startContainer } from './container.ts';

const checkout = join(import.meta.dirname, '../..');

/** The first number of the version of PostgreSQL in the compose files. */
export function composeVersion(): number {
  const text = readFileSync(join(checkout, 'deploy/compose-postgres.yaml'), 'utf8');
  return Number(/image: postgres:(\d+)$/m.exec(text)?.[1]);
}

export interface Database {
  url: string;
  /** The major version that the server reports. */
  version: number;
  stop: () => Promise<unknown>;
}

/** Starts PostgreSQL in a container of the image; its data are removed with the container. */
export async function startDatabase(working: string, port: number): Promise<Database> {
  const version = composeVersion();
  const install = `apt-get update && apt-get install --yes --no-install-recommends postgresql-${version}`;
  buildah('run', '--isolation', 'chroot', working, '--', 'sh', '-c', install);
  const programs = `/usr/lib/postgresql/${version}/bin`;
  const initialize = `${programs}/initdb --auth=trust --username=signalbox /tmp/data`;
  const serve = `exec ${programs}/postgres -D /tmp/data -p ${port} -h 127.0.0.1 -k /tmp`;
  const command = ['runuser', '--user=postgres', '--', 'sh', '-c', `${initialize} && ${serve}`];
  const container = startContainer(working, { settings: {}, command });
  const url = `postgres://signalbox@127.0.0.1:${port}/postgres`;
  await untilReady(working, url, container);
  const query = ['psql', '--tuples-only', url, '-c', 'show server_version'];
  const reported = await runInside(working, query);
  return { url, version: Number.parseInt(reported, 10), stop: () => container.stop() };
}

async function untilReady(working: string, url: string, { printed, kill }: Container) {
  const isReady = (): Promise<boolean> =>
    runInside(working, ['pg_isready', `--dbname=${url}`]).then(
      () => true,
      () => false,
    );
  try {
    await until(isReady);
  } catch (cause) {
    kill();
    throw new Error(`The database does not answer:\n${printed()}`, { cause });
  }
}
