// The figures of the server for administrators: disk, queue, memory and versions.

import { totalmem } from 'node:os';
import type { SystemFigures } from '#shared/api/system.ts';
import type { Runner } from '#shared/api/runners.ts';
import type { BackgroundLoop } from '../../context/background-loop.ts';
import type { Context } from '../../context/context.ts';
import { getRunners } from '../../runners/administration.ts';
import { getDiskSpace } from '../../../node/fs/disk-space.ts';
import { countAside } from '../../../node/data-folder/set-aside.ts';
import { shownProxy } from '../../../node/net/proxies.ts';
import { version } from '../../../node/process/version.ts';
import { readDatabase, readQueue } from './system-stats.store.ts';
import { zoneRules } from '../installation/zone-rules.ts';

export { readDatabase as getDatabase };

const began = new Date(Date.now() - process.uptime() * 1000).toISOString();

type RunnerFigures = SystemFigures['runners'][number];
type Traits = Pick<RunnerFigures, 'node' | 'git' | 'ansible' | 'memory_bytes' | 'set_aside'>;

const unknown: Traits = { node: '', git: '', ansible: '', memory_bytes: null, set_aside: null };

export type TraitsOf = (runner: Runner) => Traits | null;

export interface FigureSources {
  /** The traits that a runner has reported; null: unknown to this server. */
  traitsOf: TraitsOf;
  backups: (ctx: Context) => Promise<SystemFigures['backups']>;
  loops: BackgroundLoop[];
}

export async function getFigures(
  ctx: Context,
  see: FigureSources,
): Promise<Omit<SystemFigures, 'recent'>> {
  const { dataDir, lowDiskBytes } = ctx.config;
  const { http, https } = ctx.config.proxies;
  const [database, queue, runners, backups, aside] = await Promise.all([
    readDatabase(ctx.db),
    readQueue(ctx.db),
    getRunners(ctx),
    see.backups(ctx),
    countAside(ctx.config),
  ]);
  return {
    disk: { folder: dataDir, low_bytes: lowDiskBytes, ...getDiskSpace(dataDir) },
    database,
    queue,
    backups,
    set_aside: aside,
    loops: see.loops.map(({ state }) => state).filter((state) => state !== null),
    server: {
      version,
      node: process.versions.node,
      zone_rules: zoneRules,
      started: began,
      memory_bytes: process.memoryUsage.rss(),
      machine_bytes: totalmem(),
      proxies: { http: http && shownProxy(http), https: https && shownProxy(https) },
    },
    runners: runners
      .filter(({ role }) => role !== 'web')
      .map((runner) => ({
        id: runner.id,
        name: runner.name,
        version: runner.version,
        running: runner.running,
        last_seen: runner.last_seen,
        ...(see.traitsOf(runner) ?? unknown),
        // The runner beside this server shares its data folder, which is reported once.
        ...(!runner.remote && { set_aside: null }),
      })),
  };
}
