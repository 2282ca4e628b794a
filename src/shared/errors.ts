// The codes of refusals, their sentences, and the answers that carry them.

import { errorCatalogue } from './catalogue/error-catalogue.ts';
import { fieldCatalogue } from './field-catalogue.ts';

export type ErrorCode = keyof typeof errorCatalogue;
export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

export type FieldCode = keyof typeof fieldCatalogue;
export const fieldCodes = Object.keys(fieldCatalogue) as FieldCode[];

type Placeholder<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

export type Params = Record<string, string | number>;
export type ParamsOf<Code extends ErrorCode> = {
  [Name in Placeholder<(typeof errorCatalogue)[Code][1]>]: string | number;
};

export interface FieldError {
  path: string;
  code: FieldCode;
  message: string;
  params?: Params;
}

/** The body of every answer with a status of 400 or more. */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  params: Params;
  fields?: FieldError[];
  request_id: string;
  /** True for the deletion of a resource that is in use; clients of the older API read it. */
  inUse?: true;
}

export function statusOf(code: ErrorCode): number {
  return errorCatalogue[code][0];
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalogue, text);
}

export function isFieldCode(text: string): text is FieldCode {
  return Object.hasOwn(fieldCatalogue, text);
}

export function errorText(code: ErrorCode): string {
  return errorCatalogue[code][1];
}

export function fieldText(code: FieldCode): string {
  return fieldCatalogue[code];
}

/** Fills the parameters into a sentence of a catalogue. */
export function fillIn(text: string, params: Params): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(params[name] ?? whole));
}
