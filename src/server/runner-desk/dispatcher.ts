// The queue of several servers. Each of them gives waiting tasks to runners: the limits are
// counted under the project's row lock, the runner is chosen, and the job that wakes it is sent,
// all in one transaction. The rows say what a runner has to do; a job says only when to look.

import type { Context } from '../context.ts';
import { openJobs, type Jobs } from '../db/jobs.ts';
import { Rounds } from '../../runner/system/rounds.ts';
import { listPlaces } from '../runners/places.ts';
import { isRemote } from '../runners/remote-runners.store.ts';
import type { Self } from '../runners/runners.ts';
import { claimDue, listHeld, listTaken, nextTry, type Places } from '../tasks/claim.ts';
import { Liveness } from './liveness.ts';
import { fromHub, onQueue, type Lease, type Queue } from '../../runner/queue.ts';

// Milliseconds after which a look is worth while although nobody has called.
const patience = 5000;

const queueOf = (runnerId: number): string => `runner-${runnerId}`;

export class Dispatcher implements Queue {
  readonly #ctx: Context;
  readonly #jobs: Jobs;
  readonly #liveness: Liveness;
  readonly #admission: Rounds;
  readonly #listeners = new Set<() => void>();
  #end: () => void = () => undefined;

  constructor(ctx: Context, databaseUrl: string) {
    this.#ctx = ctx;
    this.#jobs = openJobs(databaseUrl, ctx.log);
    this.#liveness = new Liveness(ctx, this.#jobs);
    this.#admission = new Rounds({
      clock: ctx.clock,
      round: () => this.#admit(),
      onError: (error) => ctx.log.error({ err: error }, 'giving tasks to runners failed'),
    });
  }

  async start(): Promise<void> {
    await this.#jobs.start();
    const { id } = await this.#liveness.start(() => this.#call());
    if (this.#ctx.config.role !== 'web') {
      await this.#jobs.work(queueOf(id), () => {
        this.#call();
        return Promise.resolve();
      });
    }
    this.#end = onQueue(this.#ctx, () => this.#admission.ask());
    this.#admission.ask();
  }

  #call(): void {
    for (const listener of this.#listeners) listener();
  }

  async #admit(): Promise<Date> {
    const { clock } = this.#ctx;
    const begun = clock.now();
    const places: Places = {
      list: ({ db }) => listPlaces(db),
      give: async ({ db, hub }, { id, lease, runner_id: runnerId }) => {
        if (runnerId === null) return;
        if (await isRemote(db, runnerId)) hub.publish('given', { runnerId });
        else await this.#jobs.send(db, queueOf(runnerId), { task: id, lease });
      },
    };
    const due = claimDue(this.#ctx, places);
    while (!(await due.next()).done);
    const next = await nextTry(this.#ctx, begun);
    const latest = clock.now().getTime() + patience;
    return new Date(Math.min(next?.getTime() ?? latest, latest));
  }

  async *take(held: number[]): ReturnType<Queue['take']> {
    yield* await listHeld(this.#ctx, this.self.id, { except: held });
  }

  nextTime(): Promise<Date> {
    return Promise.resolve(new Date(this.#ctx.clock.now().getTime() + patience));
  }

  onReady(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  listTaken(held: Lease[]): Promise<number[]> {
    return listTaken(this.#ctx, held);
  }

  listLeftBehind(): ReturnType<Queue['listLeftBehind']> {
    return listHeld(this.#ctx, this.self.id);
  }

  listParked(): Promise<number[]> {
    return fromHub(this.#ctx).listParked();
  }

  onStop(listener: Parameters<Queue['onStop']>[0]): () => void {
    return fromHub(this.#ctx).onStop(listener);
  }

  onChange(listener: () => void): () => void {
    return fromHub(this.#ctx).onChange(listener);
  }

  get self(): Self {
    return this.#liveness.self;
  }

  async close(): Promise<void> {
    this.#end();
    await this.#admission.close();
    await this.#liveness.close();
    await this.#jobs.close();
  }
}
