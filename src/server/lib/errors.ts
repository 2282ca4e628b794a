// Refusals: errors that the client can act on. Everything else that is thrown is a bug.

import type { Right } from '#shared/rights.ts';
import type { Finding } from '#shared/field-errors.ts';
import type { FieldError } from '#shared/errors.ts';
import { type ErrorCode, type ParamsOf, errors, statusOf } from '#shared/catalogue/errors.ts';
import { type FieldCode, fieldErrors } from '#shared/catalogue/field-errors.ts';
import { type Params, fillIn } from '#shared/catalogue/catalogue.ts';

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: Params;
  readonly fields: FieldError[];

  constructor(code: ErrorCode, params: Params, fields: FieldError[] = []) {
    super(fillIn(errors.text(code), params));
    this.code = code;
    this.params = params;
    this.fields = fields;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** Stored data that cannot be used. It is not a refusal, and a retry does not help. */
export class Unusable extends Error {}

type ParamArguments<Code extends ErrorCode> = keyof ParamsOf<Code> extends never
  ? []
  : [params: ParamsOf<Code>];

/** A refusal, to be thrown: `throw fail('key.name_taken', { name })`. */
export function fail<Code extends ErrorCode>(code: Code, ...rest: ParamArguments<Code>): AppError {
  return new AppError(code, rest[0] ?? {});
}

/** Of a caller without a right in a project. The answer names those who can give it instead (http/givers.ts). */
export const lacksRight = (right: Right): AppError =>
  fail('permission.denied', { right, givers: someGiver });

/** Who can give a right, as long as nobody is named. */
export const someGiver = 'an owner of the project';

export function fieldError(path: string, code: FieldCode, params?: Params): FieldError {
  return {
    path,
    code,
    message: fillIn(fieldErrors.text(code), params ?? {}),
    ...(params && { params }),
  };
}

/** A body may have hundreds of thousands of wrong fields. */
export const MAX_FIELD_ERRORS = 100;

export function failFields(...fields: FieldError[]): AppError {
  return new AppError('request.invalid', {}, fields.slice(0, MAX_FIELD_ERRORS));
}

/** Refuses the wrong fields of all checks at once. Any other refusal ends the checks. */
export async function checkAll(checks: (() => unknown)[]): Promise<void> {
  const wrong: FieldError[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.fields.length === 0 && wrong.length === 0) throw error;
      if (error.fields.length === 0) break;
      wrong.push(...error.fields);
    }
  }
  if (wrong.length > 0) throw failFields(...wrong);
}

export const refusalOf = (findings: Finding[]): AppError =>
  failFields(
    ...findings
      .slice(0, MAX_FIELD_ERRORS)
      .map(({ path, code, params }) => fieldError(path, code, params)),
  );

export function refuseFindings(findings: Finding[]): void {
  if (findings.length > 0) throw refusalOf(findings);
}
