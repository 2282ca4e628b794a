// The loop: take a task whenever a slot is free, run it, look again. No clock drives it.

import type { Context } from '../context.ts';
import { endTask, listOrphans, type ClaimedTask } from '../tasks/tasks.ts';
import { pruneMirrors } from './checkout.ts';
import { TaskControl } from './control.ts';
import { runTool } from './process.ts';
import type { Queue } from './queue.ts';
import { runTask } from './run-task.ts';
import { createTaskLog } from './task-log.ts';
import { removeAllWorkspaces } from './workspace.ts';

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

  constructor(ctx: Context, queue: Queue) {
    this.#ctx = ctx;
    this.#queue = queue;
  }

  async start(): Promise<void> {
    await this.#endOrphans();
    await removeAllWorkspaces(this.#ctx.config);
    await pruneMirrors(this.#ctx.config, this.#env);
    this.#ends = [
      this.#queue.onReady(() => void this.#takeAll()),
      this.#ctx.hub.subscribe('stop', ({ taskId, force }) => {
        this.#running.get(taskId)?.control.stop('stopped', force);
      }),
    ];
    void this.#takeAll();
    void this.#askVersion();
  }

  get #env(): Record<string, string> {
    const { path, dataDir } = this.#ctx.config;
    return { PATH: path, HOME: dataDir, LANG: 'C.UTF-8' };
  }

  /** Takes nothing more and ends what runs. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const end of this.#ends) end();
    const running = [...this.#running.values()];
    for (const { control } of running) control.stop('shutdown', false);
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

  #run(task: ClaimedTask): void {
    const control = new TaskControl();
    const done = runTask(this.#ctx, task, control)
      .catch((error: unknown) => {
        this.#ctx.log.error({ err: error, taskId: task.id }, 'ending a task failed');
      })
      .finally(() => {
        this.#running.delete(task.id);
      });
    this.#running.set(task.id, { control, done });
  }

  /** Tasks of a server that is gone have no owner: they end, and their log says why. */
  async #endOrphans(): Promise<void> {
    for (const task of await listOrphans(this.#ctx)) {
      const words = 'The server ended while this task ran, and the task ended with it.';
      const log = createTaskLog(this.#ctx, task, (line) => line);
      await log.add([words]);
      await log.close();
      await endTask(this.#ctx, task, 'error');
    }
  }

  async #askVersion(): Promise<void> {
    const { dataDir } = this.#ctx.config;
    const command = { command: 'ansible', args: ['--version'], cwd: dataDir, env: this.#env };
    const result = await runTool(command).catch(() => null);
    this.ansibleVersion = result?.exitCode === 0 ? result.stdout.trim() : '';
  }
}
