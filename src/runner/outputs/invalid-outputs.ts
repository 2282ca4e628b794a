import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';

/** The outputs of a task are invalid; the failure has the place and the reason. */
export class WrongOutputs extends Error {
  readonly failure: Failure;

  constructor(code: Failure['code'], params: Failure['params'] = {}) {
    super(taskFailures.message({ code, params }));
    this.failure = { code, params };
  }
}
