// The loop of the runner: executes the tasks that it receives. The queue notifies it of new tasks.

import { CoalescingLoop } from '../../node/async/coalescing-loop.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { removeFiles } from './clean-up.ts';
import { TaskControl } from './control.ts';
import type { RunContext } from '../api/runner-api.ts';
import { Housekeeper } from './housekeeper.ts';
import type { Owner } from '../git/mirror-name.ts';
import { runTool } from '../programs/process.ts';
import type { TaskQueue } from '../api/task-queue.ts';
import { lookUser, reserveUser } from '../workspace/run-users.ts';
import { runTask } from './run-task.ts';
import { allSettledOrThrow } from '../../node/async/all-settled-or-throw.ts';
import { spreadRuns } from '../workspace/spread-runs.ts';
import { stopRun } from '../supervisor/supervisor.ts';
import { findStrayWorkspaces, findWorkspace, type Workspace } from '../workspace/workspace.ts';

interface Running {
  task: RunnerTask;
  control: TaskControl;
  done: Promise<void>;
  /** When the run began, in milliseconds; 0: in an earlier runner. */
  since: number;
}

export class Runner {
  /** The output of `ansible --version`; empty: not installed. */
  ansibleVersion = '';
  gitVersion = '';
  readonly #ctx: RunContext;
  readonly #queue: TaskQueue;
  readonly #housekeeper: Housekeeper;
  readonly #running = new Map<number, Running>();
  #ends: (() => void)[] = [];
  readonly #loop: CoalescingLoop;
  #isClosing = false;
  readonly #closing = new AbortController();
  #asking: Promise<void> | null = null;

  constructor(ctx: RunContext, queue: TaskQueue) {
    this.#ctx = ctx;
    this.#queue = queue;
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
        // Not earlier, because the tasks of an earlier runner are not known yet.
        void takenOver.promise.then(() => this.#stop(taskId, force));
      }),
      this.#queue.onChange(() => this.#housekeeper.sweep()),
    ];
    await this.#takeOver();
    takenOver.resolve();
    // Not before the takeover, which would receive its tasks twice.
    this.#ends.push(this.#queue.onReady(() => this.#loop.trigger()));
    this.#loop.trigger();
    this.#housekeeper.start();
    this.#ends.push(this.#queue.onClear((asked) => this.#housekeeper.clear(asked)));
    this.#asking = Promise.all(['ansible', 'git'].map((name) => this.#versionOf(name))).then(
      ([ansible = '', git = '']) => {
        this.ansibleVersion = ansible;
        this.gitVersion = git;
      },
    );
  }

  /** Resumes the tasks of an earlier runner, and removes workspaces without a task. */
  async #takeOver(): Promise<void> {
    const tasks = await this.#queue.listInterrupted();
    const ids = [...tasks.map(({ id }) => id), ...(await this.#queue.listParked())];
    const strays = await findStrayWorkspaces(this.#ctx.config, ids);
    await allSettledOrThrow(strays.map((stray) => this.#removeStray(stray)));
    for (const { id } of tasks) {
      const workspace = await findWorkspace(this.#ctx.config, id);
      // Reserved before a new task can get the same user.
      if (workspace?.isAlone) reserveUser(this.#ctx.config, workspace.user);
    }
    for (const task of tasks) this.#run(task, 0);
  }

  /** Removes a run whose lease was revoked while no runner followed its program. */
  async #removeStray(stray: Workspace): Promise<void> {
    const isOver = await stopRun(stray.dir, stray.mark, this.#closing.signal);
    if (isOver) await removeFiles(this.#ctx, stray);
  }

  #stop(taskId: number, force: boolean): void {
    const running = this.#running.get(taskId);
    if (running) running.control.stop('stopped', force);
    else void this.#removeWaiting(taskId);
  }

  /** Removes the workspace of a parked task that was stopped. */
  async #removeWaiting(taskId: number): Promise<void> {
    try {
      const workspace = await findWorkspace(this.#ctx.config, taskId);
      if (workspace) await removeFiles(this.#ctx, workspace);
    } catch (error) {
      this.#ctx.log.error({ err: error, taskId }, 'removing a stopped run failed');
    }
  }

  get taskIds(): number[] {
    return [...this.#running.keys()];
  }

  /** Receives no more tasks. Programs outlive this runner, and the next one resumes their tasks. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const end of this.#ends) end();
    this.#closing.abort();
    await this.#asking;
    await this.#loop.close();
    const running = [...this.#running.values()];
    for (const { control } of running) control.detach();
    await Promise.all(running.map(({ done }) => done));
    await this.#housekeeper.close();
    await this.#queue.close();
  }

  async #takeDue(): Promise<null> {
    const held = [...this.#running.values()].map(({ task }) => task);
    for (const id of await this.#queue.listRevoked(held)) {
      // Not forced: the program may be in the middle of a change that is recorded at its end.
      this.#running.get(id)?.control.stop('stopped', false);
    }
    for await (const task of this.#queue.receive([...this.#running.keys()])) {
      // A task that was received but not begun is begun by the next runner.
      if (this.#isClosing) return null;
      // A parked task may be confirmed before this runner has finished parking it.
      await this.#running.get(task.id)?.done;
      while (this.#housekeeper.clearing) await this.#housekeeper.clearing;
      // The folders that a parked task uses were marked before it was parked.
      this.#run(task, task.step > 0 ? 0 : Date.now());
    }
    return null;
  }

  #run(task: RunnerTask, since: number): void {
    const control = new TaskControl();
    // A stop was requested while no runner held the task.
    if (task.status === 'stopping') control.stop('stopped', false);
    const done = runTask(this.#ctx, task, control)
      .catch((error: unknown) => {
        control.detach();
        this.#ctx.log.error({ err: error, taskId: task.id }, 'ending a task failed');
      })
      .finally(() => {
        this.#running.delete(task.id);
        if (this.#isClosing) return;
        this.#housekeeper.afterTask();
        // The task may be parked, and confirmed already.
        this.#loop.trigger();
      });
    this.#running.set(task.id, { task, control, done, since });
  }

  /** When the first of the running tasks began, in milliseconds; Infinity: none runs. */
  get #since(): number {
    return Math.min(Infinity, ...[...this.#running.values()].map(({ since }) => since));
  }

  /** The repositories of the running tasks. */
  get #repositories(): Owner[] {
    return [...this.#running.values()].flatMap(({ task: { snapshot } }) =>
      [snapshot.repository, snapshot.inventoryRepository ?? []]
        .flat()
        .map(({ id, git_url: url }) => ({ repositoryId: id, url })),
    );
  }

  /** The output of `--version`; empty: not installed. */
  async #versionOf(program: string): Promise<string> {
    const { path, dataDir } = this.#ctx.config;
    const user = lookUser(this.#ctx.config);
    const cwd = user ? '/' : dataDir;
    const env = { PATH: path, HOME: dataDir, LANG: 'C.UTF-8' };
    const command = { command: program, args: ['--version'], cwd, env, user };
    const result = await runTool(command, this.#closing.signal).catch(() => null);
    return result?.exitCode === 0 ? result.stdout.trim() : '';
  }
}
