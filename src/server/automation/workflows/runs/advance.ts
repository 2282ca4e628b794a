// Advances a run: the step of the engine is written in the transaction of its event. The row of the run is
// locked meanwhile, which serializes its events across all servers.

import { setImmediate } from 'node:timers/promises';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { DecisionCode, Reason } from '#shared/workflows/decisions.ts';
import { isRunFinished } from '#shared/workflows/run-status.ts';
import type { WorkflowNode } from '#shared/workflows/graph.ts';
import { raiseRunEnd } from '../../../alerts/alert-deliveries/raise-alerts.ts';
import { byServer, type Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { next, type Decision, type Progress, type RunEvent, type Step } from '../engine/engine.ts';
import { requireWorkflow } from '../definitions/workflows.ts';
import { insertDecision, listNodes, updateNode, updateStates } from './nodes.store.ts';
import { beginNode, type ImmediateOutcome } from './begin-node.ts';
import { createRun, depthOf, MAX_NESTED, recordRun } from './create-run.ts';
import { listFailedNodes } from './get-runs.ts';
import { openRunValues } from './node-values.ts';
import { lockRun, requesterOf, updateRun, type RunRow } from './runs.store.ts';

/** An event of the engine, with the reason of the outcome of a node. */
type ReasonedEvent = RunEvent & { reason?: Reason | null };

/** Applies an event to a run and, if the run ends, to the run in which it is a node. */
export async function applyRunEvent(
  ctx: Context,
  runId: number,
  event: ReasonedEvent,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const ended = await handleEvent(inner, runId, event);
    if (!ended || ended.run.parent_run_id === null || ended.run.parent_node === null) return;
    const { parent_run_id: parent, parent_node: node } = ended.run;
    const outcome = ended.end === 'success' ? 'success' : 'failure';
    await applyRunEvent(inner, parent, { type: 'ended', node, outcome });
  });
}

type End = NonNullable<Step['end']>;

const occasions = { success: 'succeeded', error: 'failed', stopped: 'stopped' } as const;

/** Returns the end of the run; null: it goes on, or had ended before. */
async function handleEvent(
  ctx: Context,
  runId: number,
  first: ReasonedEvent,
): Promise<{ run: RunRow; end: End } | null> {
  const run = await lockRun(ctx.db, runId);
  if (!run || isRunFinished(run.status)) return null;
  const by = { ...byServer, userId: run.user_id, username: run.username };
  const executor = new RunExecutor({ ...ctx, by }, run);
  const end = await executor.play(first);
  ctx.hub.publish('resource.changed', { projectId: run.project_id, noun: 'workflowRuns' });
  return end && { run, end };
}

class RunExecutor {
  readonly #ctx: Context;
  readonly #run: RunRow;
  readonly #nodes: ReadonlyMap<string, WorkflowNode>;

  constructor(ctx: Context, run: RunRow) {
    this.#ctx = ctx;
    this.#run = run;
    this.#nodes = new Map(run.graph.nodes.map((node) => [node.key, node]));
  }

  async play(first: ReasonedEvent): Promise<End | null> {
    const rows = await listNodes(this.#ctx.db, [this.#run.id]);
    let progress: Progress = {
      states: new Map(rows.map(({ node, state }) => [node, state])),
      isStopping: this.#run.status === 'stopping',
    };
    const events = [first];
    let end: End | null = null;
    for (let event = events.shift(); event; event = events.shift()) {
      if (event.type === 'ended' && progress.states.get(event.node) !== 'active') continue;
      const step = next(this.#run.graph, progress, event);
      progress = step.progress;
      await this.#writeEvent(event);
      events.push(...(await this.#write(step)));
      if (event.type === 'stopped') events.push(...this.#endings(progress));
      end = step.end;
    }
    if (end) await this.#end(end);
    return end;
  }

  async #writeEvent(event: ReasonedEvent): Promise<void> {
    if (event.type === 'stopped') {
      await updateRun(this.#ctx.db, this.#run.id, { status: 'stopping' });
      this.#publishWorkflows();
    }
    if (event.type !== 'ended') return;
    const { node, outcome, reason = null } = event;
    const change = { state: outcome, end: this.#now(), until: null, reason };
    await updateNode(this.#ctx.db, this.#run.id, node, change);
    const code = outcome === 'success' ? 'decision.succeeded' : 'decision.failed';
    await this.#note(code, { node: this.#nameOf(node) });
    this.#publishApproval(node);
  }

  /** The list of workflows shows pending approvals. */
  #publishApproval(key: string): void {
    if (this.#nodes.get(key)?.type === 'approval') this.#publishWorkflows();
  }

  #publishWorkflows(): void {
    const { project_id: projectId } = this.#run;
    this.#ctx.hub.publish('resource.changed', { projectId, noun: 'workflows' });
  }

  /** Writes the decisions and begins nodes; returns the events of those that ended at once. */
  async #write({ skip, begin, progress }: Step): Promise<ReasonedEvent[]> {
    const skipped = skip.map(({ node }) => node);
    await updateStates(this.#ctx.db, this.#run.id, skipped, 'skipped');
    for (const one of skip) await this.#noteDecision('decision.skipped', one, progress);
    const atOnce: ReasonedEvent[] = [];
    for (const one of this.#inOrder(begin)) {
      // Yield to other requests: there may be hundreds of launches.
      await setImmediate();
      await this.#noteDecision('decision.began', one, progress);
      const change = { state: 'active', begin: this.#now() } as const;
      await updateNode(this.#ctx.db, this.#run.id, one.node, change);
      const ended = await this.#begin(one.node);
      this.#publishApproval(one.node);
      if (ended) atOnce.push({ type: 'ended', node: one.node, ...ended });
    }
    return atOnce;
  }

  /** The ends of approvals and waits of a stopped run; tasks and runs end by themselves. */
  #endings({ states }: Progress): ReasonedEvent[] {
    const waits = this.#run.graph.nodes.filter(
      ({ type, key }) => (type === 'approval' || type === 'wait') && states.get(key) === 'active',
    );
    const reason: Reason = { code: 'reason.stopped', params: {} };
    return waits.map(({ key }) => ({ type: 'ended', node: key, outcome: 'failure', reason }));
  }

  /** By template, so that concurrent runs lock rows of templates in one order. */
  #inOrder(begin: Decision[]): Decision[] {
    const rank = ({ node: key }: Decision): number => {
      const node = this.#nodes.get(key);
      return node?.type === 'template' ? node.template_id : 0;
    };
    return begin.toSorted((one, other) => rank(one) - rank(other));
  }

  async #begin(key: string): Promise<ImmediateOutcome> {
    const node = this.#nodes.get(key);
    if (!node) throw new Error(`The graph of run ${this.#run.id} has no node ${key}.`);
    const run = this.#run;
    return beginNode(this.#ctx, { run, nested: (one) => this.#beginNested(one) }, node);
  }

  async #beginNested(node: Extract<WorkflowNode, { type: 'workflow' }>): Promise<ImmediateOutcome> {
    const { project_id: projectId, id } = this.#run;
    if ((await depthOf(this.#ctx.db, this.#run)) >= MAX_NESTED) {
      const params = { node: node.name, most: MAX_NESTED };
      return { outcome: 'failure', reason: { code: 'reason.nested_too_deep', params } };
    }
    const workflow = await requireWorkflow(this.#ctx, projectId, node.workflow_id);
    const parent = { runId: id, node: node.key, requestedBy: requesterOf(this.#run) };
    const extracted = openRunValues(this.#ctx, this.#run);
    const { message } = this.#run;
    const childId = await createRun(this.#ctx, workflow, { message, parent, extracted });
    await updateNode(this.#ctx.db, id, node.key, { child_run_id: childId });
    const ended = await handleEvent(this.#ctx, childId, { type: 'started' });
    return ended && { outcome: ended.end === 'success' ? 'success' : 'failure', reason: null };
  }

  async #end(end: End): Promise<void> {
    const { id } = this.#run;
    await updateRun(this.#ctx.db, id, { status: end, end: this.#now() });
    await this.#note(`decision.ended_${end}`, {});
    await recordRun({ ...this.#ctx, by: byServer }, 'ended', this.#run, { status: end });
    this.#publishWorkflows();
    await raiseRunEnd(this.#ctx, id, occasions[end], () => listFailedNodes(this.#ctx, this.#run));
  }

  async #noteDecision(
    code: 'decision.began' | 'decision.skipped',
    { node, because }: Decision,
    { states }: Progress,
  ): Promise<void> {
    const causes = because.map((key) => ({
      node: this.#nameOf(key),
      state: states.get(key) ?? 'idle',
    }));
    const whole = causes.length > 0 ? (`${code}_because` as const) : code;
    await this.#note(whole, { node: this.#nameOf(node) }, causes);
  }

  async #note(
    code: DecisionCode,
    params: Params,
    because: Parameters<typeof insertDecision>[2]['because'] = [],
  ): Promise<void> {
    const time = this.#now();
    await insertDecision(this.#ctx.db, this.#run.id, { time, code, params, because });
  }

  #nameOf(key: string): string {
    return this.#nodes.get(key)?.name ?? key;
  }

  #now(): string {
    return this.#ctx.clock.now().toISOString();
  }
}
