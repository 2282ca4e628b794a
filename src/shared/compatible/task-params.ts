// The launch options of schedules and integrations: clients of later versions of the API send them in
// `params` inside `task_params`.

import { z } from 'zod';
import { fullTaskParams, taskParams, type TaskParams } from '../launch.ts';
import type { Finding } from '../field-errors.ts';
import { type Contradiction, forOthers, type Forms, isBody, lift, settle } from './forms.ts';
import { nestedParams, paramsOf, runParams, shownParams } from './tasks.ts';

export const taskParamsForms: Forms = {
  fields: z.object({ task_params: z.looseObject({ params: runParams }).nullish() }),
  read(given) {
    if (!isBody(given) || !isBody(given['task_params'])) {
      return { body: given, findings: [], contradictions: [] };
    }
    const { body, findings, contradictions } = lift(given['task_params'], nestedParams);
    return {
      body: { ...given, task_params: body },
      findings: findings.map(inTaskParams),
      contradictions: contradictions.map(inTaskParams),
    };
  },
};

/** The same place, seen from outside of `task_params`. */
export const inTaskParams = <At extends { path: string }>(one: At): At => ({
  ...one,
  path: `task_params.${one.path}`,
});

/** The task params of a changed resource; a client that leaves them out keeps the stored ones. */
export function settleTaskParams(
  given: TaskParams | null | undefined,
  stored: TaskParams | null,
  contradictions: Contradiction[],
): { params: TaskParams | null; findings: Finding[] } {
  if (!given) return { params: given === undefined ? stored : null, findings: [] };
  const params = { ...given };
  const findings = settle(params, stored ?? fullTaskParams({}), contradictions);
  return { params, findings };
}

/** Task params in both forms, for replies. */
export const shownTaskParams = taskParams.extend(forOthers({ params: shownParams }));

export const showTaskParams = <Thing extends { task_params: TaskParams | null }>(thing: Thing) => ({
  ...thing,
  task_params: thing.task_params && {
    ...thing.task_params,
    params: paramsOf(thing.task_params),
  },
});
