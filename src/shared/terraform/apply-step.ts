/**
 * The number of the step in which Terraform applies a plan. A task that has begun it tells on which runner
 * the state of its template is.
 */
export const applyStep = 4;
