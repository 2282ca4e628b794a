// Builds the trace of an ended task from the times in its row. So nothing of a trace is lost when servers
// or runners are killed, and runners need no tracing. The ids are derived from the task, so that sending
// a trace twice is idempotent.

import { createHash } from 'node:crypto';
import { isFinished } from '#shared/task-status.ts';
import type { By, Context } from '../../../context/context.ts';
import type { Row } from '../../../db/tables.ts';
import type { Span } from '../../../lib/telemetry/telemetry.ts';
import { findRow, type LeasedTask } from '../rows/tasks.store.ts';
import { addMark } from './run.store.ts';

/** `request`: the arrival of the request that launched the task. `wait`: a confirmation between two steps. */
type MarkName = 'request' | 'commit' | 'tools' | 'wait' | `step-${number}`;

interface Mark {
  name: string;
  time: Date;
}

/** The columns of a new task for the request that launches it. */
export function traceOf({ request }: By): Pick<Row<'tasks'>, 'traceparent' | 'marks'> {
  if (!request) return { traceparent: null, marks: null };
  return {
    traceparent: readTraceparent(request.traceparent),
    marks: textOf('request', request.begun),
  };
}

const textOf = (name: MarkName, time: Date): string => `${name}=${time.toISOString()};`;

/** The header `traceparent` if it is valid, otherwise null. */
export function readTraceparent(header: string | undefined): string | null {
  const text = header?.trim() ?? '';
  const { groups } = /^00-(?<trace>[\da-f]{32})-(?<span>[\da-f]{16})-[\da-f]{2}$/.exec(text) ?? {};
  const isNothing = /^0+$/.test(groups?.['trace'] ?? '0') || /^0+$/.test(groups?.['span'] ?? '0');
  return isNothing ? null : text;
}

/** Stores the time at which a part of a run begins, if tracing is on. */
export async function markTime(
  ctx: Context,
  task: Required<LeasedTask>,
  name: MarkName,
): Promise<void> {
  if (ctx.telemetry.trace === null) return;
  await addMark(ctx.db, task, textOf(name, ctx.clock.now()));
}

export async function traceEnd(ctx: Context, id: number, names: TraceNames): Promise<void> {
  const { trace } = ctx.telemetry;
  if (trace === null) return;
  const row = await findRow(ctx.db, id);
  if (row && isFinished(row.status)) trace(spansOf(row, names));
}

interface TraceNames {
  template: string;
  app: string;
}

export function spansOf(row: Row<'tasks'>, { template, app }: TraceNames): Span[] {
  const [, callersTrace, callersSpan = null] = row.traceparent?.split('-') ?? [];
  const traceId = callersTrace ?? hash(`task ${row.id} ${row.created}`, 32);
  const end = new Date(row.end ?? row.created);
  const span = (name: string, begin: Date, rest: Partial<Span>): Span => ({
    name,
    traceId,
    id: hash(`${traceId} ${row.id} ${name}`, 16),
    parentId: null,
    begin,
    end,
    attributes: {},
    isError: false,
    ...rest,
  });
  const isError = row.status === 'error';
  const launched = new Date(row.created);
  const attributes = {
    'signalbox.task.id': row.id,
    'signalbox.task.status': row.status,
    'signalbox.task.attempt': row.attempt,
    'signalbox.template.id': row.template_id,
    'signalbox.template.name': template,
    'signalbox.template.app': app,
    'signalbox.project.id': row.project_id,
  };
  const marks = readMarks(row.marks);
  const asked = marks.find(({ name }) => name === 'request')?.time;
  const root = span('task', asked ?? launched, { parentId: callersSpan, attributes, isError });
  const parentId = root.id;
  const early = asked ? [root, span('request', asked, { parentId, end: launched })] : [root];
  if (row.start === null) return [...early, span('queue', launched, { parentId })];
  const start = new Date(row.start);
  const run = span('run', start, {
    parentId,
    isError,
    attributes: {
      'signalbox.runner.name': row.runner_name,
      ...(row.exit_code !== null && { 'process.exit.code': row.exit_code }),
    },
  });
  const parts = partsOf(marks, start, end);
  const last = parts.at(-1);
  return [
    ...early,
    span('queue', launched, { parentId, end: start }),
    run,
    ...parts.map((part) =>
      span(part.name, part.begin, {
        end: part.end,
        parentId: part.parent === null ? run.id : hash(`${traceId} ${row.id} ${part.parent}`, 16),
        isError: isError && part === last,
      }),
    ),
  ];
}

interface Part {
  name: string;
  /** The name of the enclosing part; null: the run itself. */
  parent: string | null;
  begin: Date;
  end: Date;
}

const preparation = 'preparation';
const before = ['request', 'commit', 'tools'];

function partsOf(marks: Mark[], start: Date, end: Date): Part[] {
  // A run that has begun again has some marks twice; the last ones count.
  const all = new Map(marks.map((mark) => [mark.name, mark]));
  const isBefore = ({ name }: Mark): boolean => before.includes(name);
  const later = [...all.values()].filter((mark) => !isBefore(mark)).toSorted(byTime);
  const prepared = later[0]?.time ?? end;
  const fetched = all.get('commit')?.time ?? prepared;
  const installed = all.get('tools')?.time ?? prepared;
  const hasFetched = all.has('commit');
  const within = { parent: preparation };
  return [
    { name: preparation, parent: null, begin: start, end: prepared },
    { ...within, name: 'repository', begin: start, end: fetched },
    ...(hasFetched ? [{ ...within, name: 'requirements', begin: fetched, end: installed }] : []),
    ...later.map(({ name, time }, index) => ({
      name: name === 'wait' ? 'confirmation' : name.replace('-', ' '),
      parent: null,
      begin: time,
      end: later[index + 1]?.time ?? end,
    })),
  ];
}

const byTime = (one: Mark, other: Mark): number => one.time.getTime() - other.time.getTime();

function readMarks(marks: string | null): Mark[] {
  return (marks ?? '')
    .split(';')
    .filter(Boolean)
    .map((mark) => {
      const [name = '', time = ''] = mark.split('=');
      return { name, time: new Date(time) };
    });
}

const hash = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);
