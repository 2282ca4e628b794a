// Kills the server, its runner, or both with -9 again and again while tasks run, and counts what went
// wrong.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinished } from '#shared/task-status.ts';
import {
  countedLines,
  fillUp,
  findLeft,
  lastLines,
  linesEach,
  secretFolders,
  setUp,
  start,
  untilAllFinished,
  type Drill,
} from './drill-server.ts';
import { randomNumber } from './random.ts';

/** Each count must be zero. */
interface DrillCounts {
  tasksLost: number;
  tasksStuck: number;
  tasksRunTwice: number;
  linesLostOrDoubled: number;
  orphanProcesses: number;
  leftoverFolders: number;
}

interface DrillResult {
  counts: DrillCounts;
  kills: number;
  tasks: number;
  /** What was found, to help people understand the counts. */
  findings: string[];
}

const victims = ['server', 'runner', 'both'] as const;

/**
 * Kills once, after so many milliseconds while tasks are launched; then starts again what was
 * killed.
 */
async function killOnce(
  drill: Drill,
  victim: (typeof victims)[number],
  after: number,
): Promise<void> {
  const filling = fillUp(drill).catch(() => undefined);
  await delay(after);
  if (victim !== 'server') await killRunner(drill.folder);
  if (victim === 'runner') {
    // The server starts its runner again by itself.
    await filling;
    return;
  }
  await drill.server.end('SIGKILL');
  await filling;
  Object.assign(drill, await start(drill.folder));
}

async function killRunner(folder: string): Promise<void> {
  const note = await readFile(join(folder, 'data', 'runner.pid'), 'utf8').catch(() => '');
  const pid = Number(note.split(' ')[0]);
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The runner has just been killed, and the next one has not begun.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function judgeTasks(drill: Drill, findings: string[]): Promise<Partial<DrillCounts>> {
  const all = await untilAllFinished(drill);
  const byId = new Map(all.map((task) => [task.id, task]));
  const runs = (await readFile(drill.runs, 'utf8')).trim().split('\n');
  const note = (count: number, text: string): number => {
    if (count > 0) findings.push(text);
    return count;
  };
  const counts = { tasksLost: 0, tasksStuck: 0, tasksRunTwice: 0, linesLostOrDoubled: 0 };
  for (const [number, id] of drill.launched) {
    const task = byId.get(id);
    const status = task?.status ?? 'missing';
    const isStuck = task !== undefined && !isFinished(task.status);
    counts.tasksStuck += note(isStuck ? 1 : 0, `task ${id} is ${status}`);
    const isLost = !isStuck && status !== 'success';
    counts.tasksLost += note(isLost ? 1 : 0, `task ${id} ended as ${status}`);
    if (isLost) findings.push(await lastLines(drill, id));
    const times = runs.filter((entry) => entry === String(number)).length;
    counts.tasksRunTwice += note(times > 1 ? 1 : 0, `task ${id} ran ${times} times`);
    const wrong = await wrongLines(drill, id);
    counts.linesLostOrDoubled += note(wrong, `task ${id} has ${wrong} lines lost or doubled`);
  }
  return counts;
}

async function wrongLines(drill: Drill, taskId: number): Promise<number> {
  const lines = await countedLines(drill, taskId);
  const expected = Array.from({ length: linesEach }, (_, index) => `line ${index + 1}`);
  const missing = expected.filter((line) => !lines.includes(line)).length;
  const doubled = lines.length - new Set(lines).size;
  const isInOrder = lines.every((line, index) => line === expected[index]);
  return missing + doubled || (isInOrder ? 0 : 1);
}

export async function runCrashDrill(
  rounds: number,
  seed: number,
  tell: (text: string) => void = () => undefined,
): Promise<DrillResult> {
  const before = await secretFolders();
  const drill = await setUp();
  const findings: string[] = [];
  try {
    const random = randomNumber(seed);
    await fillUp(drill);
    for (let round = 1; round <= rounds; round += 1) {
      const victim = victims[round % victims.length] ?? 'server';
      await killOnce(drill, victim, random() * 700);
      tell(`kill ${round} of ${rounds} (${victim}), ${drill.launched.size} tasks launched`);
    }
    const counts = await judgeTasks(drill, findings);
    await drill.server.end('SIGTERM');
    return {
      counts: { ...(counts as DrillCounts), ...(await findLeft(drill, before, findings)) },
      kills: rounds,
      tasks: drill.launched.size,
      findings,
    };
  } finally {
    await drill.server.end('SIGKILL');
    await rm(drill.folder, { recursive: true, force: true });
  }
}
