// The launch options of schedules and integrations: clients of later versions send them in `task_params.params`.

import { z } from 'zod';
import { newTaskParams, taskParams, type TaskParams } from '../launch.ts';
import { compatOnly, type Forms, isBody, lift, preferNonEmpty } from './forms.ts';
import { nestedParams, paramsOf, runParams, shownParams } from './tasks.ts';

export const taskParamsForms: Forms = {
  fields: z.object({ task_params: newTaskParams.extend({ params: runParams }).nullish() }),
  read(given) {
    if (!isBody(given) || !isBody(given['task_params'])) {
      return { body: given, findings: [] };
    }
    const { body, findings, contradictions } = lift(given['task_params'], nestedParams);
    const all = [...findings, ...preferNonEmpty(body, contradictions)];
    return { body: { ...given, task_params: body }, findings: all.map(inTaskParams) };
  },
};

/** The same path as seen from outside of `task_params`. */
export const inTaskParams = <At extends { path: string }>(one: At): At => ({
  ...one,
  path: `task_params.${one.path}`,
});

/** Task params in both forms, for replies. */
export const shownTaskParams = taskParams.extend(compatOnly({ params: shownParams }));

export const showTaskParams = <Thing extends { task_params: TaskParams | null }>(thing: Thing) => ({
  ...thing,
  task_params: thing.task_params && {
    ...thing.task_params,
    params: paramsOf(thing.task_params),
  },
});
