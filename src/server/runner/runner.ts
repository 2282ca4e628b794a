// The loop: take a task whenever a slot is free, run it, look again. No clock drives it.

import type { Context } from '../context.ts';
import { listLeftBehind, listWaitingRuns, type ClaimedTask } from '../tasks/claim.ts';
import { TaskControl } from './control.ts';
import { runTool } from './process.ts';
import type { Queue } from './queue.ts';
import { runTask } from './run-task.ts';
import { endRun } from './supervisor.ts';
import { findStrayWorkspaces, findWorkspace } from './workspace.ts';

export class Runner {
  /** What `ansible --version` said; empty when it is not installed. */
  ansibleVersion = '';
  readonly #ctx: Context;
  readonly #queue: Queue;
  readonly #running = new Map<number, { control: TaskControl; done: Promise<void> }>();
  #ends: (() => void)[] = [];
  #isTaking = false;
  #isAskedAgain = false;
  #isClosing = false;
  readonly #closing = new AbortController();
  #asking: Promise<void> | null = null;

  constructor(ctx: Context, queue: Queue) {
    this.#ctx = ctx;
    this.#queue = queue;
  }

  async start(): Promise<void> {
    this.#ends = [
      this.#queue.onReady(() => void this.#takeAll()),
      this.#ctx.hub.subscribe('stop', ({ taskId, force }) => {
        const running = this.#running.get(taskId);
        if (running) running.control.stop('stopped', force);
        else void this.#removeWaiting(taskId);
      }),
    ];
    await this.#takeOver();
    void this.#takeAll();
    this.#asking = this.#askVersion();
  }

  /** Goes on with what an earlier server left behind, and removes what belongs to nothing. */
  async #takeOver(): Promise<void> {
    const tasks = await listLeftBehind(this.#ctx);
    const ids = [...tasks.map(({ id }) => id), ...(await listWaitingRuns(this.#ctx))];
    for (const stray of await findStrayWorkspaces(this.#ctx.config, ids)) {
      await endRun(stray.dir, stray.mark);
      await stray.remove();
    }
    for (const task of tasks) {
      const control = this.#run(task);
      if (task.status === 'stopping') control.stop('stopped', false);
    }
  }

  /** A task that waited in the middle of its run has been stopped. */
  async #removeWaiting(taskId: number): Promise<void> {
    try {
      await (await findWorkspace(this.#ctx.config, taskId))?.remove();
    } catch (error) {
      this.#ctx.log.error({ err: error, taskId }, 'removing a stopped run failed');
    }
  }

  get #env(): Record<string, string> {
    const { path, dataDir } = this.#ctx.config;
    return { PATH: path, HOME: dataDir, LANG: 'C.UTF-8' };
  }

  /** Takes nothing more. What runs goes on without us; the next server follows it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const end of this.#ends) end();
    this.#closing.abort();
    await this.#asking;
    const running = [...this.#running.values()];
    for (const { control } of running) control.detach();
    await Promise.all(running.map(({ done }) => done));
  }

  async #takeAll(): Promise<void> {
    if (this.#isTaking) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isTaking = true;
    try {
      do {
        this.#isAskedAgain = false;
        for (;;) {
          const task = this.#isClosing ? null : await this.#queue.take();
          if (!task) break;
          this.#run(task);
        }
      } while (this.#isAskedAgain);
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'taking tasks from the queue failed');
    } finally {
      this.#isTaking = false;
    }
  }

  #run(task: ClaimedTask): TaskControl {
    const control = new TaskControl();
    const done = runTask(this.#ctx, task, control)
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error, taskId: task.id }, 'ending a task failed');
      })
      .finally(() => {
        this.#running.delete(task.id);
      });
    this.#running.set(task.id, { control, done });
    return control;
  }

  async #askVersion(): Promise<void> {
    const { dataDir } = this.#ctx.config;
    const command = { command: 'ansible', args: ['--version'], cwd: dataDir, env: this.#env };
    const result = await runTool(command, this.#closing.signal).catch(() => null);
    this.ansibleVersion = result?.exitCode === 0 ? result.stdout.trim() : '';
  }
}
