import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';

/** What a task has handed on is not understood; the failure says where and why. */
export class WrongOutputs extends Error {
  readonly failure: Failure;

  constructor(code: Failure['code'], params: Failure['params'] = {}) {
    super(taskFailures.message({ code, params }));
    this.failure = { code, params };
  }
}
