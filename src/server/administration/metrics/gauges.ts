// The values of the gauges, read at each scrape.

import { runnerStates, type Runner } from '#shared/api/runners.ts';
import { healthParts, type HealthStates } from '#shared/api/system.ts';
import { waitingReasons } from '#shared/api/tasks.ts';
import { unfinishedStatuses } from '#shared/task-status.ts';
import { withReasons } from '../../automation/tasks/queue/waiting-reasons.ts';
import type { Context } from '../../context/context.ts';
import { others, plainSample, type Sample } from '../../lib/telemetry/measures.ts';
import { getRunners } from '../../runners/administration.ts';
import { getDiskSpace } from '../../../node/fs/disk-space.ts';
import { getBackups } from '../installation-backup/backup-schedule.ts';
import { getDatabase } from '../health/system-stats.ts';
import { countPending, listGroups, listNames, type TaskGroup } from './metrics.store.ts';

/** Gauges from the database, with the same values on every server. */
export async function readShared(
  ctx: Context,
  countedIds: number[],
  mostTemplates: number,
): Promise<Sample[]> {
  const now = ctx.clock.now();
  const groups = await listGroups(ctx.db, now.toISOString());
  const templates = new Set([...countedIds, ...largest(groups, mostTemplates)]);
  return [
    ...byStatus(groups),
    ...byTemplate(groups, templates),
    ...(await namesOf(ctx, [...templates])),
    ...(await queueOf(ctx, groups, now)),
    ...byState(await getRunners(ctx)),
    plainSample('signalbox_alert_deliveries_pending', await countPending(ctx.db)),
    plainSample('signalbox_database_size_bytes', (await getDatabase(ctx.db)).size_bytes),
    ...(await readBackups(ctx)),
  ];
}

async function readBackups(ctx: Context): Promise<Sample[]> {
  const { last, bytes } = await getBackups(ctx);
  const made = last === null ? 0 : Date.parse(last) / 1000;
  return [
    plainSample('signalbox_backup_last_success_timestamp_seconds', made),
    plainSample('signalbox_backup_size_bytes', bytes ?? 0),
  ];
}

/** Sums numbers by their label; the labels of `all` are always included. */
function sums(all: readonly string[], numbers: (readonly [string, number])[]): [string, number][] {
  const found = new Map(all.map((word) => [word, 0]));
  for (const [word, value] of numbers) found.set(word, (found.get(word) ?? 0) + value);
  return [...found];
}

function byStatus(groups: TaskGroup[]): Sample[] {
  const counts = groups.map(({ status, count }) => [status, count] as const);
  return sums(unfinishedStatuses, counts).map(([status, value]) => ({
    name: 'signalbox_tasks',
    labels: { status },
    value,
  }));
}

/** The ids of the templates with the most unfinished tasks. */
function largest(groups: TaskGroup[], most: number): number[] {
  const counts = groups.map(({ template_id: id, count }) => [String(id), count] as const);
  return sums([], counts)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([id]) => Number(id));
}

function byTemplate(groups: TaskGroup[], own: Set<number>): Sample[] {
  const counts = groups.map(({ project_id: project, template_id: template, status, count }) => {
    const ids = own.has(template) ? `${project} ${template}` : `${others} ${others}`;
    return [`${ids} ${status}`, count] as const;
  });
  return sums([], counts).map(([key, value]) => {
    const [project_id = '', template_id = '', status = ''] = key.split(' ');
    return { name: 'signalbox_template_tasks', labels: { project_id, template_id, status }, value };
  });
}

async function namesOf(ctx: Context, ids: number[]): Promise<Sample[]> {
  const names = await listNames(ctx.db, ids);
  return names.map(({ id, name, project_id, project }) => ({
    name: 'signalbox_template_info',
    labels: { project_id: String(project_id), project, template_id: String(id), template: name },
    value: 1,
  }));
}

/** The reasons of the API, and those of the metrics. */
const reasons = [...waitingReasons, 'next', 'confirmation', 'confirmed', others];
/** The maximum of groups whose reasons are computed, those with the oldest tasks first. */
const MAX_REASONED = 500;

async function queueOf(ctx: Context, groups: TaskGroup[], now: Date): Promise<Sample[]> {
  const waiting = groups.filter(({ status }) => status === 'waiting');
  const reasoned = await withReasons(ctx, waiting.slice(0, MAX_REASONED));
  const known = [
    ...reasoned.map((group) => ({ ...group, reason: group.waiting_for?.reason ?? 'next' })),
    ...waiting.slice(MAX_REASONED).map((group) => ({ ...group, reason: others })),
    ...ofStatus(groups, 'waiting_confirmation', 'confirmation'),
    ...ofStatus(groups, 'confirmed', 'confirmed'),
  ];
  const counts = known.map(({ reason, count }) => [reason, count] as const);
  const ageOf = (reason: string): number => {
    const launched = known.filter((group) => group.reason === reason).map(({ oldest }) => oldest);
    const [oldest] = launched.toSorted();
    return oldest === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(oldest)) / 1000;
  };
  return sums(reasons, counts).flatMap(([reason, value]): Sample[] => [
    { name: 'signalbox_queue_tasks', labels: { reason }, value },
    { name: 'signalbox_queue_oldest_age_seconds', labels: { reason }, value: ageOf(reason) },
  ]);
}

const ofStatus = (groups: TaskGroup[], wanted: TaskGroup['status'], reason: string) =>
  groups.filter(({ status }) => status === wanted).map((group) => ({ ...group, reason }));

function byState(runners: Runner[]): Sample[] {
  const working = runners.filter(({ role }) => role !== 'web');
  return runnerStates.flatMap((state): Sample[] => {
    const those = working.filter((one) => one.state === state);
    const slots = those.map((one) => one.slots || Infinity);
    const running = those.map((one) => one.running);
    const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
    return [
      { name: 'signalbox_runners', labels: { state }, value: those.length },
      { name: 'signalbox_runner_slots', labels: { state }, value: sum(slots) },
      { name: 'signalbox_runner_tasks', labels: { state }, value: sum(running) },
    ];
  });
}

export async function readDisk({ config }: Context): Promise<Sample[]> {
  const { free_bytes: free, size_bytes: size } = getDiskSpace(config.dataDir);
  return [
    plainSample('signalbox_disk_low_bytes', config.lowDiskBytes),
    ...(free === null ? [] : [plainSample('signalbox_disk_free_bytes', free)]),
    ...(size === null ? [] : [plainSample('signalbox_disk_size_bytes', size)]),
  ];
}

export function healthSamples(states: HealthStates, isReady: boolean): Sample[] {
  return [
    plainSample('signalbox_ready', isReady ? 1 : 0),
    ...healthParts
      .filter((part) => states[part] !== 'off')
      .map((part) => ({
        name: 'signalbox_health_ok' as const,
        labels: { part },
        // A newer Ansible is no failure.
        value: states[part] === 'ok' || states[part] === 'new' ? 1 : 0,
      })),
  ];
}
