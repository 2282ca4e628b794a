// Judges a drill by the rows of the tasks, their logs, and the file in which each command has noted
// that it began.

import type { Kysely } from 'kysely';
import { isFinished } from '#shared/task-status.ts';
import type { Row, Tables } from '../../src/server/db/tables.ts';
import { readLines } from '../../src/server/automation/tasks/log/task-log.store.ts';
import type { Answers } from './drill-servers.ts';
import { kindOf, kinds } from './cluster-drill-kinds.ts';

/** Each count must be zero. */
export interface ClusterCounts {
  /**
   * Launches that the server confirmed and that have no task, and tasks that ended differently from
   * their command.
   */
  lost: number;
  /** Tasks that have not ended, although there were enough servers. */
  stuck: number;
  /** Commands that began twice, and attempts and tasks that exist once too often. */
  doubled: number;
  linesLost: number;
  linesDoubled: number;
}

/** The answers to each launch, by its number. */
export type Launched = Map<number, Answers>;

type TaskRow = Pick<
  Row<'tasks'>,
  'id' | 'status' | 'message' | 'attempt' | 'attempts' | 'retry_of' | 'step'
>;

const numberOf = ({ message }: TaskRow): number => Number(message.split(' ')[1]);

// The words of a log about a command whose result cannot be known.
const lostWords = /was lost, so its result is unknown|is gone, so its result is unknown/;

class Notes {
  readonly counts: ClusterCounts = { lost: 0, stuck: 0, doubled: 0, linesLost: 0, linesDoubled: 0 };
  readonly findings: string[] = [];

  add(what: keyof ClusterCounts, text: string, count = 1): void {
    this.counts[what] += count;
    this.findings.push(text);
  }
}

export async function judge(
  db: Kysely<Tables>,
  launched: Launched,
  /** The task of each command that has begun. */
  noted: number[],
): Promise<{ counts: ClusterCounts; tasks: number; findings: string[] }> {
  const columns = ['id', 'status', 'message', 'attempt', 'attempts', 'retry_of', 'step'] as const;
  const rows = await db
    .selectFrom('tasks')
    .select(columns)
    .where('workflow_run_id', 'is', null)
    .orderBy('id')
    .execute();
  const notes = new Notes();
  const times = new Map<number, number>();
  for (const id of noted) times.set(id, (times.get(id) ?? 0) + 1);
  judgeLaunches(rows, launched, notes);
  judgeAttempts(rows, notes);
  for (const row of rows) {
    if (!isFinished(row.status)) {
      notes.add('stuck', `task ${row.id} is ${row.status}, step ${row.step}`);
      continue;
    }
    const begun = times.get(row.id) ?? 0;
    if (begun > 1) notes.add('doubled', `the command of task ${row.id} began ${begun} times`);
    await judgeEnd(db, row, begun, notes);
  }
  return { counts: notes.counts, tasks: rows.length, findings: notes.findings };
}

function judgeLaunches(rows: TaskRow[], launched: Launched, notes: Notes): void {
  for (const [number, { answered, unanswered }] of launched) {
    const first = rows.filter((row) => row.retry_of === null && numberOf(row) === number);
    for (const id of answered) {
      if (!first.some((row) => row.id === id)) notes.add('lost', `task ${id} is not there`);
    }
    const most = answered.length + unanswered;
    if (first.length > most) notes.add('doubled', `launch ${number}: ${first.length} tasks`);
  }
}

/** Each failed attempt but the last is followed by another one; a successful attempt by none. */
function judgeAttempts(rows: TaskRow[], notes: Notes): void {
  for (const row of rows) {
    const chain = row.retry_of ?? row.id;
    const next = rows.filter(
      ({ retry_of, attempt }) => retry_of === chain && attempt === row.attempt + 1,
    );
    const expected = row.status === 'error' && row.attempt < row.attempts ? 1 : 0;
    const text = `${row.status} attempt ${row.attempt} of task ${chain}: ${next.length} follow`;
    if (next.length > expected) notes.add('doubled', text);
    if (next.length < expected && isFinished(row.status)) notes.add('lost', text);
  }
}

async function judgeEnd(db: Kysely<Tables>, row: TaskRow, begun: number, notes: Notes) {
  const { id, status } = row;
  const name = kindOf(numberOf(row));
  const log = (await readLines(db, id, { from: 1, limit: 100_000 })).map(({ output }) => output);
  const isUnknown = status === 'error' && log.some((line) => lostWords.test(line));
  const expected = kinds[name].endsWell(id) ? 'success' : 'error';
  if (!isUnknown && (status !== expected || begun === 0)) {
    const end = log.slice(-5).join('\n    ');
    notes.add('lost', `${name} task ${id} ended as ${status}, begun ${begun} times\n    ${end}`);
  }
  const lines = log.filter((line) => /^line \d+$/.test(line)).map((line) => Number(line.slice(5)));
  const doubled = lines.length - new Set(lines).size;
  if (doubled > 0) notes.add('linesDoubled', `task ${id} has ${doubled} lines doubled`, doubled);
  // The log of a task that was lost with its server may end early; every other log is complete.
  const most = isUnknown ? lines.length : kinds[name].lines;
  const missing = Array.from({ length: most }, (_, at) => at + 1).filter(
    (line, at) => lines[at] !== line,
  ).length;
  if (missing > 0 && doubled === 0) {
    notes.add(
      'linesLost',
      `task ${id} (${name}, ${status}) has ${missing} lines missing\n    ${log.slice(-5).join('\n    ')}`,
      missing,
    );
  }
}
