// The bodies of refusals.

import type { Params } from './catalogue/catalogue.ts';
import type { ErrorCode } from './catalogue/errors.ts';
import type { FieldCode } from './catalogue/field-errors.ts';

export interface FieldError {
  path: string;
  code: FieldCode;
  message: string;
  params?: Params;
}

/** The body of every response with a status of 400 or more. */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  params: Params;
  fields?: FieldError[];
  request_id: string;
  /** For the deletion of a resource that is in use, for clients of the older API. */
  inUse?: true;
}
