// Records what a saved plan would change. The untrusted text is parsed in the sandbox. A plan that cannot be parsed
// fails no run.

import type { PlanChange } from '#shared/api/task-plan.ts';
import type { SavedPlan } from '../apps/app.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import { readPlan } from '../sandbox/sandbox.ts';
import { maskError, type Mask } from '../log/mask.ts';
import type { Preparation } from '../prepare/prepare.ts';

const MAX_PLAN_BYTES = 64 * 1024 * 1024;
const showTimeMs = 120_000;
const longest = { address: 500, type: 200, provider: 300, reason: 100, attribute: 100 };

export async function recordPlan(
  preparation: Preparation,
  { show: showPlan, isChange }: SavedPlan,
  exitCode: number | null,
  mask: Mask,
): Promise<void> {
  const { ctx, task, workspace, signal, execution } = preparation;
  try {
    const show = await showPlan(preparation);
    // Log messages would be mixed with the JSON.
    const { TF_LOG: _log, ...env } = show.env;
    const command = { ...show, env, user: workspace.user, outputLimit: MAX_PLAN_BYTES };
    const end = AbortSignal.any([signal, AbortSignal.timeout(showTimeMs)]);
    const shown = await execution.run(command, end);
    if (signal.aborted) return;
    if (shown.exitCode !== 0) {
      throw new Error(shown.failure ?? `show ended with the exit code ${shown.exitCode}`);
    }
    const read = await readPlan(shown.stdout, signal);
    if (read === null) throw new Error('its format is not known, or it is too large');
    // A plan to be confirmed must never be shown as empty.
    const isOdd = read.changes.length === 0 && isChange(exitCode);
    const plan = isOdd ? { ...read, counts: { ...read.counts, other: 1 } } : read;
    const changes = plan.changes.map((change) => cutAndMasked(change, mask));
    await ctx.runnerApi.recordPlan(task, { ...plan, changes });
  } catch (error) {
    if (isServerUnavailable(error)) throw error;
    if (signal.aborted) return;
    ctx.log.warn(
      { err: maskError(error, mask), taskId: task.id },
      'parsing the Terraform plan failed',
    );
  }
}

/** Texts are masked before they are cut, because a part of a secret would not be recognized. */
function cutAndMasked(change: PlanChange, mask: Mask): PlanChange {
  const shown = (text: string, length: number): string => mask(text).slice(0, length);
  const orNull = (text: string | null, length: number) => text && shown(text, length);
  const named = (names: string[]) => names.map((name) => shown(name, longest.attribute));
  return {
    ...change,
    address: shown(change.address, longest.address),
    type: shown(change.type, longest.type),
    provider: shown(change.provider, longest.provider),
    reason: orNull(change.reason, longest.reason),
    moved_from: orNull(change.moved_from, longest.address),
    attributes: named(change.attributes),
    forcing: named(change.forcing),
  };
}
