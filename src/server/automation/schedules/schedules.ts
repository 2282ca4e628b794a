import type {
  CronAnswer,
  CronQuestion,
  Fire,
  NewSchedule,
  Schedule,
} from '#shared/api/schedules.ts';
import type { TaskParams } from '#shared/launch.ts';
import { newTask } from '#shared/api/tasks.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import type { Versioned } from '../../db/resource.ts';
import { fromTaskParams } from '../../db/task-params.ts';
import { checkAll, fail, failFields, fieldError, refusalOf } from '../../lib/errors.ts';
import { hasRepository } from '../../resources/repositories/repositories.ts';
import { checkReferences, type Target } from '../../resources/resource.ts';
import { paramsReferences } from '../tasks/launch/launch-references.ts';
import { checkLaunch } from '../tasks/launch/launch-rules.ts';
import { readAnswers } from '../tasks/launch/survey.ts';
import { hasTemplate, requireTemplate } from '../templates/templates.ts';
import { hasWorkflow } from '../workflows/definitions/workflows.ts';
import { readPage, type Page } from '../../lib/page.ts';
import { inTransaction } from '../../context/transaction.ts';
import { findTimingError, isInterval, listNext, nextDue, type Timing } from '../../lib/cron.ts';
import { deleteOldFires, listFires, listLastFires } from './fires.store.ts';
import { recordSchedule } from './record-schedule.ts';
import {
  beginChange,
  findSchedule,
  insertSchedule,
  listCronRows,
  listSchedules,
  removeRow,
  updateSchedule,
  type BareSchedule,
  type ScheduleFilter,
  switchAllOff,
  takeDue,
} from './schedules.store.ts';

export async function getSchedules(
  ctx: Context,
  projectId: number,
  filter: ScheduleFilter,
): Promise<Schedule[]> {
  const list = await listSchedules(ctx.db, projectId, filter);
  const fires = await listLastFires(ctx.db, projectId);
  const last = new Map(fires.map((fire) => [fire.schedule_id, fire]));
  return list.map((schedule) => ({ ...schedule, last_fire: last.get(schedule.id) ?? null }));
}

export async function getSchedulesOfTemplate(
  ctx: Context,
  projectId: number,
  templateId: number,
  filter: ScheduleFilter,
): Promise<Schedule[]> {
  await requireTemplate(ctx, projectId, templateId);
  return getSchedules(ctx, projectId, { ...filter, templateId, isOwn: true });
}

async function requireBare(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<Versioned<BareSchedule>> {
  const schedule = await findSchedule(ctx.db, projectId, id);
  if (!schedule) throw fail('schedule.not_found');
  return schedule;
}

export async function requireSchedule(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<Versioned<Schedule>> {
  const schedule = await requireBare(ctx, projectId, id);
  const [last = null] = await listLastFires(ctx.db, projectId, id);
  return { ...schedule, last_fire: last };
}

/** The next due times of a cron expression. */
export function answerCron(ctx: Context, question: CronQuestion): CronAnswer {
  const timing = timingOf({ ...question, type: '', run_at: null }, ctx.config.zone.name);
  checkTiming(timing);
  const next = listNext(timing, ctx.clock.now(), question.count);
  return { next, time_zone: timing.time_zone };
}

export async function createSchedule(
  ctx: Context,
  projectId: number,
  input: NewSchedule,
): Promise<Schedule> {
  const timing = timingOf(input, ctx.config.zone.name);
  const { active = false, missed = 'skip' } = input;
  await checkAll([
    () => checkTiming(timing),
    () => refusePassed(ctx, timing, active),
    () => checkNamed(ctx, projectId, input),
  ]);
  const id = await inTransaction(ctx, async (inner) => {
    const params = fromTaskParams(input.task_params ?? null);
    const values = { ...namedIn(input), missed, active, ...kindOf(input), ...timing, ...params };
    const next_due = active ? nextDue(timing, ctx.clock.now()) : null;
    const insert = insertSchedule(inner.db, projectId, {
      ...values,
      ...changedBy(inner),
      next_due,
    });
    const created = await refusing(insert, stale);
    await note(inner, 'schedule.created', await requireBare(inner, projectId, created));
    return created;
  });
  return requireSchedule(ctx, projectId, id);
}

export async function changeSchedule(
  ctx: Context,
  target: Target,
  given: NewSchedule,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const before = await begin(inner, target);
    // Options that were kept are of no use to a workflow.
    const kept = given.task_params === undefined ? before.task_params : given.task_params;
    const task_params = given.workflow_id === null ? kept : null;
    const input = { ...given, task_params };
    const timing = timingOf(input, before.time_zone);
    await checkAll([() => checkTiming(timing), () => checkNamed(inner, target.projectId, input)]);
    const { active = isKeptActive(before, input), missed = before.missed } = input;
    const due = dueAfter(inner, before, { ...timing, active });
    const params = fromTaskParams(task_params);
    const values = { ...namedIn(input), missed, ...kindOf(input), ...timing, ...due, ...params };
    await refusing(updateSchedule(inner.db, target.id, { ...values, ...changedBy(inner) }), stale);
    await note(inner, 'schedule.changed', { ...before, name: input.name });
  });
}

/**
 * Whether a schedule stays active after a PUT without `active`. A missing optional field means false, but
 * the form of a template in other clients, which changes the check for new commits, lacks this field.
 */
const isKeptActive = (before: BareSchedule, { repository_id }: NewSchedule): boolean =>
  before.active && repository_id !== null;

export async function switchSchedule(
  ctx: Context,
  projectId: number,
  id: number,
  active: boolean,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const before = await begin(inner, { projectId, id, revision: null });
    const due = dueAfter(inner, before, { ...before, active });
    await updateSchedule(inner.db, id, { ...due, ...changedBy(inner) });
    await note(inner, active ? 'schedule.switched_on' : 'schedule.switched_off', before);
  });
}

const changedBy = ({ by }: Context) => ({ changed_by: by.userId });

/** The schedule before a change, locked for the transaction. */
async function begin(ctx: Context, target: Target): Promise<BareSchedule> {
  const isOurs = await beginChange(ctx.db, target);
  const before = await requireBare(ctx, target.projectId, target.id);
  if (!isOurs) throw fail('request.stale');
  return before;
}

/** Computes the next due time again only when the change may have moved it. */
function dueAfter(
  ctx: Context,
  before: BareSchedule,
  { active, ...timing }: Timing & { active: boolean },
) {
  const isSame =
    before.active === active &&
    before.cron_format === timing.cron_format &&
    before.run_at === (timing.run_at ?? null) &&
    before.time_zone === timing.time_zone;
  if (!isSame) refusePassed(ctx, timing, active);
  const next_due = active ? nextDue(timing, ctx.clock.now()) : null;
  return { active, ...(!isSame && { next_due }) };
}

export async function removeSchedule(ctx: Context, projectId: number, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const schedule = await requireBare(inner, projectId, id);
    if (!(await removeRow(inner.db, projectId, id))) throw fail('schedule.not_found');
    await note(inner, 'schedule.deleted', schedule);
  });
}

const MAX_FIRES_PER_SCHEDULE = 1000;

export const tidyFires = ({ db }: Context): Promise<void> =>
  deleteOldFires(db, MAX_FIRES_PER_SCHEDULE);

export async function getFires(
  ctx: Context,
  projectId: number,
  id: number,
  { before, limit = 200 }: { before?: number | undefined; limit?: number | undefined },
): Promise<Page<Fire>> {
  await requireBare(ctx, projectId, id);
  return readPage(limit, (count) => listFires(ctx.db, id, { before, limit: count }));
}

// A referenced resource was deleted after the check.
const stale = { 'foreign-key': () => fail('request.stale') };

async function checkNamed(ctx: Context, projectId: number, input: NewSchedule): Promise<void> {
  await checkReferences(ctx, projectId, {
    template_id: [input.template_id, hasTemplate],
    workflow_id: [input.workflow_id, hasWorkflow],
    repository_id: [input.repository_id, hasRepository],
    ...paramsReferences(input.task_params),
  });
  const { template_id: template, task_params: params } = input;
  if (params && template !== null) await checkParams(ctx, projectId, template, params);
}

/** Refuses launch options now that would be refused at each due time. */
async function checkParams(
  ctx: Context,
  projectId: number,
  templateId: number,
  params: TaskParams,
): Promise<void> {
  const template = await requireTemplate(ctx, projectId, templateId);
  const launch = newTask.parse({ ...params, template_id: templateId });
  checkLaunch(launch, template);
  if (launch.environment !== '{}') {
    readAnswers(template, launch.environment, launch.secret, {});
  }
}

const namedIn = ({ template_id, workflow_id, name, repository_id }: NewSchedule) => ({
  template_id,
  workflow_id,
  name,
  repository_id,
});

type GivenTiming = Pick<NewSchedule, 'type' | 'cron_format' | 'run_at' | 'time_zone'>;

function timingOf(given: GivenTiming, zone: string): Timing {
  const { type, cron_format, run_at } = given;
  const time_zone = given.time_zone || zone;
  return type === 'run_at'
    ? { cron_format: '', run_at, time_zone }
    : { cron_format, run_at: null, time_zone };
}

function checkTiming(timing: Timing): void {
  const error = findTimingError(timing);
  if (error) throw refusalOf([error]);
}

/** Refuses to switch on a schedule whose only due time has passed: it would never run. */
function refusePassed(ctx: Context, timing: Timing, active: boolean): void {
  if (!active || !timing.run_at || findTimingError(timing)) return;
  if (nextDue(timing, ctx.clock.now()) !== null) return;
  throw failFields(fieldError('run_at', 'schedule.run_at_passed'));
}

/** Only a schedule that is due once can be deleted after its run. */
const kindOf = ({ type, delete_after_run }: NewSchedule) => ({
  type,
  delete_after_run: type === 'run_at' && delete_after_run,
});

async function note(ctx: Context, code: EventCode, schedule: BareSchedule): Promise<void> {
  await recordSchedule(ctx, code, schedule);
  ctx.hub.publish('resource.changed', { projectId: schedule.project_id, noun: 'schedules' });
}

/** Switches off the schedules of all projects, without events. */
export const switchOffAll = ({ db }: Pick<Context, 'db'>): Promise<void> => switchAllOff(db);

/**
 * Computes future due times of cron expressions again with the current time zone rules; returns the number
 * of changes.
 */
export async function computeDueTimes(ctx: Context): Promise<number> {
  const now = ctx.clock.now().toISOString();
  let changed = 0;
  for (const schedule of await listCronRows(ctx.db, now)) {
    if (isInterval(schedule.cron_format)) continue;
    const next = nextDue(schedule, now);
    // False if another server has changed the schedule, and then computed the due time itself.
    if (next !== schedule.next_due && (await takeDue(ctx.db, schedule, next))) changed += 1;
  }
  return changed;
}
