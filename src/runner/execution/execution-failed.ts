import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';

/** An execution environment cannot be used, for a reason with a code. */
export class ExecutionFailed extends Error {
  readonly failure: Failure;

  constructor(code: Failure['code'], params: Failure['params'] = {}) {
    super(taskFailures.message({ code, params }));
    this.failure = { code, params };
  }
}
