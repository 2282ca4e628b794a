// Kills supervisors and the programs under them with -9 while the server goes on, and counts what
// went wrong: each such task has to end as failed, and no other task may be disturbed.

import { readdir, readFile, rm } from 'node:fs/promises';
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
  untilAllFinished,
  type Drill,
} from './drill-server.ts';
import { randomNumber } from './random.ts';

/** Each count must be zero. */
interface KillCounts {
  tasksStuck: number;
  tasksRunTwice: number;
  /** Tasks that were killed but did not fail, or failed although nothing of them was killed. */
  wrongEnds: number;
  linesLostOrDoubled: number;
  orphanProcesses: number;
  leftoverFolders: number;
}

interface KillResult {
  counts: KillCounts;
  supervisors: number;
  programs: number;
  tasks: number;
  findings: string[];
}

type Role = 'supervisor' | 'child';

interface Victim {
  taskId: number;
  role: Role;
}

/** Kills the supervisor or the program of a running task; null if no task was running. */
async function killOne(
  drill: Drill,
  role: Role,
  { spared, random }: { spared: Set<number>; random: () => number },
): Promise<Victim | null> {
  const runs = join(drill.folder, 'data', 'runs');
  for (const run of (await readdir(runs).catch(() => [])).toSorted(() => random() - 0.5)) {
    const taskId = Number(run.split('-')[0]);
    const names = spared.has(taskId) ? [] : await readdir(join(runs, run)).catch(() => []);
    const step = names.find((name) => name.startsWith('step-'));
    if (!step) continue;
    const identity = await readFile(join(runs, run, step, role), 'utf8').catch(() => '');
    const pid = Number(identity.split(' ')[0]);
    if (!pid) continue;
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (!environment.includes(`SIGNALBOX_RUN=${run}`)) continue;
    process.kill(pid, 'SIGKILL');
    return { taskId, role };
  }
  return null;
}

async function judge(drill: Drill, victims: Map<number, Role>, findings: string[]) {
  const all = await untilAllFinished(drill);
  const runs = (await readFile(drill.runs, 'utf8')).trim().split('\n');
  const counts = { tasksStuck: 0, tasksRunTwice: 0, wrongEnds: 0, linesLostOrDoubled: 0 };
  for (const [number, id] of drill.launched) {
    const status = all.find((task) => task.id === id)?.status ?? 'error';
    const lines = await countedLines(drill, id);
    const isWhole = lines.length === linesEach;
    const isKilled = victims.has(id);
    // A program that was killed at its very end may have done all its work.
    const isRight = isKilled ? status === 'error' || isWhole : status === 'success' && isWhole;
    if (!isFinished(status)) counts.tasksStuck += 1;
    else if (!isRight) counts.wrongEnds += 1;
    if (runs.filter((entry) => entry === String(number)).length > 1) counts.tasksRunTwice += 1;
    if (lines.some((line, index) => line !== `line ${index + 1}`)) counts.linesLostOrDoubled += 1;
    if (!isFinished(status) || !isRight) {
      const hit = victims.get(id) ?? 'nothing';
      findings.push(`task ${id} is ${status}, killed: ${hit}`, await lastLines(drill, id));
    }
  }
  return counts;
}

export async function runKillDrill(
  kills: number,
  seed: number,
  tell: (text: string) => void = () => undefined,
): Promise<KillResult> {
  const before = await secretFolders();
  const drill = await setUp();
  const findings: string[] = [];
  const victims = new Map<number, Role>();
  const random = randomNumber(seed);
  try {
    for (let tries = 0; victims.size < kills && tries < kills * 20; tries += 1) {
      await fillUp(drill);
      await delay(random() * 300);
      const role = victims.size % 2 === 0 ? 'supervisor' : 'child';
      const victim = await killOne(drill, role, { spared: new Set(victims.keys()), random });
      if (!victim) continue;
      victims.set(victim.taskId, victim.role);
      tell(`killed the ${role} of task ${victim.taskId}, ${victims.size} of ${kills}`);
    }
    const counts = await judge(drill, victims, findings);
    await drill.server.end('SIGTERM');
    const roles = [...victims.values()];
    return {
      counts: { ...counts, ...(await findLeft(drill, before, findings)) },
      supervisors: roles.filter((role) => role === 'supervisor').length,
      programs: roles.filter((role) => role === 'child').length,
      tasks: drill.launched.size,
      findings,
    };
  } finally {
    await drill.server.end('SIGKILL');
    await rm(drill.folder, { recursive: true, force: true });
  }
}
