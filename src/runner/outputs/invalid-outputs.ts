import { failureWords, type Failure } from '#shared/words/task-failures.ts';

/** What a task has handed on is not understood; the failure says where and why. */
export class WrongOutputs extends Error {
  readonly failure: Failure;

  constructor(code: Failure['code'], params: Failure['params'] = {}) {
    super(failureWords({ code, params }));
    this.failure = { code, params };
  }
}
