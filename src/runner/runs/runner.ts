// The loop of the runner: takes the tasks that it is given and runs them. It does not poll: the queue
// says when there may be a new task.

import { CoalescingLoop } from '../../node/async/coalescing-loop.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { TaskControl } from './control.ts';
import type { RunContext } from '../api/runner-api.ts';
import { Housekeeper } from './housekeeper.ts';
import type { Owner } from '../git/mirror-name.ts';
import { runTool } from '../programs/process.ts';
import type { TaskQueue } from '../api/task-queue.ts';
import { lookUser } from '../workspace/run-users.ts';
import { spreadRuns } from '../workspace/workspace.ts';
import { localPrograms, type TaskPrograms } from './task-programs.ts';

interface Running {
  task: RunnerTask;
  control: TaskControl;
  done: Promise<void>;
  /** In milliseconds; 0 when an earlier runner has begun it. */
  since: number;
}

/** How often an engine of containers is looked for that was installed meanwhile. */
const engineMs = 10 * 60 * 1000;

export class Runner {
  /** The output of `ansible --version`; empty: Ansible is not installed. */
  ansibleVersion = '';
  gitVersion = '';
  /** Such as `podman 4.3.1` or `kubernetes 1.33.2`; empty: no containers can be used. */
  containerEngine = '';
  readonly #ctx: RunContext;
  readonly #queue: TaskQueue;
  readonly #programs: TaskPrograms;
  readonly #housekeeper: Housekeeper;
  readonly #running = new Map<number, Running>();
  #ends: (() => void)[] = [];
  readonly #loop: CoalescingLoop;
  #isClosing = false;
  readonly #closing = new AbortController();
  #asking: Promise<void> | null = null;
  #engineTimer: NodeJS.Timeout | undefined;

  constructor(ctx: RunContext, queue: TaskQueue, programs: TaskPrograms = localPrograms(ctx)) {
    this.#ctx = ctx;
    this.#queue = queue;
    this.#programs = programs;
    this.#housekeeper = new Housekeeper(
      ctx,
      () => ({ repositories: this.#repositories, since: this.#since }),
      async () => (await queue.listParked()).length > 0,
    );
    this.#loop = new CoalescingLoop({
      clock: ctx.clock,
      run: () => this.#takeDue(),
      onError: (error) => ctx.log.error({ err: error }, 'receiving tasks failed'),
    });
  }

  async start(): Promise<void> {
    await spreadRuns(this.#ctx.config);
    await this.#queue.start();
    const takenOver = Promise.withResolvers<void>();
    this.#ends = [
      this.#queue.onStop(({ taskId, force }) => {
        // Before, it is not known which tasks this runner holds.
        void takenOver.promise.then(() => this.#stop(taskId, force));
      }),
      this.#queue.onChange(() => this.#housekeeper.sweep()),
    ];
    await this.#takeOver();
    takenOver.resolve();
    // Not before the takeover: its tasks would be taken twice.
    this.#ends.push(this.#queue.onReady(() => this.#loop.trigger()));
    this.#loop.trigger();
    this.#housekeeper.start();
    this.#ends.push(this.#queue.onClear((asked) => this.#housekeeper.clear(asked)));
    this.#asking = this.#askVersions();
    this.#engineTimer = setInterval(() => void this.#askEngine(), engineMs);
  }

  /** Goes on with the tasks that an earlier runner has left, and removes folders of no task. */
  async #takeOver(): Promise<void> {
    const tasks = await this.#queue.listInterrupted();
    const ids = [...tasks.map(({ id }) => id), ...(await this.#queue.listParked())];
    await this.#programs.removeStrays(ids);
    for (const task of tasks) this.#run(task, 0);
  }

  #stop(taskId: number, force: boolean): void {
    const running = this.#running.get(taskId);
    if (running) running.control.stop('stopped', force);
    else void this.#removeWaiting(taskId);
  }

  /** Removes what a parked task that was stopped has left. */
  async #removeWaiting(taskId: number): Promise<void> {
    try {
      await this.#programs.removeParked(taskId);
    } catch (error) {
      this.#ctx.log.error({ err: error, taskId }, 'removing a stopped run failed');
    }
  }

  get taskIds(): number[] {
    return [...this.#running.keys()];
  }

  get #env(): Record<string, string> {
    const { path, dataDir } = this.#ctx.config;
    return { PATH: path, HOME: dataDir, LANG: 'C.UTF-8' };
  }

  /**
   * Takes no more tasks. Programs go on without this runner, and the next one takes them over. Only the
   * programs of revoked tasks are stopped, since no runner would take them over.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const end of this.#ends) end();
    this.#closing.abort();
    const closed = this.#programs.close();
    clearInterval(this.#engineTimer);
    await this.#asking;
    await this.#loop.close();
    const running = [...this.#running.values()];
    const revoked = await this.#queue.listRevoked(running.map(({ task }) => task));
    for (const { task, control } of running) {
      if (revoked.includes(task.id)) control.stop('stopped', false);
      else control.detach();
    }
    await Promise.all([closed, ...running.map(({ done }) => done)]);
    await this.#housekeeper.close();
    await this.#queue.close();
  }

  async #takeDue(): Promise<null> {
    const held = [...this.#running.values()].map(({ task }) => task);
    for (const id of await this.#queue.listRevoked(held)) {
      // Gently: it may be in the middle of a change that is recorded at its end.
      this.#running.get(id)?.control.stop('stopped', false);
    }
    for await (const task of this.#queue.receive([...this.#running.keys()])) {
      // The next runner begins a task that was taken but not begun.
      if (this.#isClosing) return null;
      // A parked task may be confirmed before this runner has finished parking it.
      await this.#running.get(task.id)?.done;
      while (this.#housekeeper.clearing) await this.#housekeeper.clearing;
      // What a parked task uses was marked before it was parked.
      this.#run(task, task.step > 0 ? 0 : Date.now());
    }
    return null;
  }

  #run(task: RunnerTask, since: number): void {
    const control = new TaskControl();
    // Somebody has stopped the task while no runner held it.
    if (task.status === 'stopping') control.stop('stopped', false);
    const done = this.#programs
      .run(this.#ctx, task, control)
      .catch((error: unknown) => {
        control.detach();
        this.#ctx.log.error({ err: error, taskId: task.id }, 'ending a task failed');
      })
      .finally(() => {
        this.#running.delete(task.id);
        if (this.#isClosing) return;
        this.#housekeeper.afterTask();
        // The task may have been parked, and confirmed meanwhile.
        this.#loop.trigger();
      });
    this.#running.set(task.id, { task, control, done, since });
  }

  /** When the first of the tasks that run now began, in milliseconds; Infinity when none runs. */
  get #since(): number {
    return Math.min(Infinity, ...[...this.#running.values()].map(({ since }) => since));
  }

  /** The repositories of the tasks that run now. */
  get #repositories(): Owner[] {
    return [...this.#running.values()].flatMap(({ task: { snapshot } }) =>
      [snapshot.repository, snapshot.inventoryRepository ?? []]
        .flat()
        .map(({ id, git_url: url }) => ({ repositoryId: id, url })),
    );
  }

  async #askVersions(): Promise<void> {
    [this.ansibleVersion, this.gitVersion] = await Promise.all([
      this.#versionOf('ansible'),
      this.#versionOf('git'),
      this.#askEngine(),
    ]);
  }

  async #askEngine(): Promise<void> {
    this.containerEngine = await this.#programs.describe();
  }

  /** The output of a program that is asked for its version; empty if it is not installed. */
  async #versionOf(program: string): Promise<string> {
    const { dataDir } = this.#ctx.config;
    const user = lookUser(this.#ctx.config);
    const cwd = user ? '/' : dataDir;
    const command = { command: program, args: ['--version'], cwd, env: this.#env, user };
    const result = await runTool(command, this.#closing.signal).catch(() => null);
    return result?.exitCode === 0 ? result.stdout.trim() : '';
  }
}
