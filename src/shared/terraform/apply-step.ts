/** The step of Terraform's apply. A task that has begun it determines the runner with the state of its template. */
export const applyStep = 4;
