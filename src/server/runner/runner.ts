// The loop: take a task whenever a slot is free, run it, look again. No clock drives it.

import type { Context } from '../context.ts';
import { listLeftBehind, type ClaimedTask } from '../tasks/claim.ts';
import { TaskControl } from './control.ts';
import type { Owner } from './mirror.ts';
import { runTool } from './process.ts';
import type { Queue } from './queue.ts';
import { runTask } from './run-task.ts';
import { endRun } from './supervisor.ts';
import { sweep } from './sweep.ts';
import { findStrayWorkspaces } from './workspace.ts';

interface Running {
  task: ClaimedTask;
  control: TaskControl;
  done: Promise<void>;
}

export class Runner {
  /** What `ansible --version` said; empty when it is not installed. */
  ansibleVersion = '';
  readonly #ctx: Context;
  readonly #queue: Queue;
  readonly #running = new Map<number, Running>();
  #sweeping: Promise<void> = Promise.resolve();
  #isSweepDue = false;
  #ends: (() => void)[] = [];
  #isTaking = false;
  #isAskedAgain = false;
  #isClosing = false;

  constructor(ctx: Context, queue: Queue) {
    this.#ctx = ctx;
    this.#queue = queue;
  }

  async start(): Promise<void> {
    this.#ends = [
      this.#queue.onReady(() => void this.#takeAll()),
      this.#ctx.hub.subscribe('stop', ({ taskId, force }) => {
        this.#running.get(taskId)?.control.stop('stopped', force);
      }),
      this.#ctx.hub.subscribe('changed', ({ noun }) => {
        if (noun === 'repositories' || noun === 'projects') this.#sweep();
      }),
    ];
    await this.#takeOver();
    this.#sweep();
    void this.#takeAll();
    void this.#askVersion();
  }

  /** Goes on with what an earlier server left behind, and removes what belongs to nothing. */
  async #takeOver(): Promise<void> {
    const tasks = await listLeftBehind(this.#ctx);
    const ids = tasks.map(({ id }) => id);
    for (const stray of await findStrayWorkspaces(this.#ctx.config, ids)) {
      await endRun(stray.dir, stray.mark);
      await stray.remove();
    }
    for (const task of tasks) {
      const control = this.#run(task);
      if (task.status === 'stopping') control.stop('stopped', false);
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
    const running = [...this.#running.values()];
    for (const { control } of running) control.detach();
    await Promise.all([this.#sweeping, ...running.map(({ done }) => done)]);
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
        if (this.#isSweepDue && !this.#isClosing) this.#sweep();
      });
    this.#running.set(task.id, { task, control, done });
    return control;
  }

  /** Again when a task has ended, which may have used what a change has left behind. */
  #sweep(): void {
    this.#sweeping = this.#sweeping
      .then(() => {
        this.#isSweepDue = this.#running.size > 0;
        return sweep(this.#ctx, () => this.#repositories);
      })
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error }, 'removing what is left over failed');
      });
  }

  /** Those of the tasks that run. */
  get #repositories(): Owner[] {
    return [...this.#running.values()].flatMap(({ task: { snapshot } }) =>
      [snapshot.repository, snapshot.inventoryRepository ?? []]
        .flat()
        .map(({ id, git_url: url }) => ({ repositoryId: id, url })),
    );
  }

  async #askVersion(): Promise<void> {
    const { dataDir } = this.#ctx.config;
    const command = { command: 'ansible', args: ['--version'], cwd: dataDir, env: this.#env };
    const result = await runTool(command).catch(() => null);
    this.ansibleVersion = result?.exitCode === 0 ? result.stdout.trim() : '';
  }
}
