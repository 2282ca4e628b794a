// Refusals of requests: their codes, statuses and sentences.

import { type CodeOf, defineCatalogue } from './catalogue.ts';
import { errorCatalogue } from './error-sentences.ts';

type ErrorCatalogue = typeof errorCatalogue;
const sentences = Object.fromEntries(
  Object.entries(errorCatalogue).map(([code, [, text]]) => [code, text]),
) as { [Code in keyof ErrorCatalogue]: ErrorCatalogue[Code][1] };

export const errors = defineCatalogue(sentences);
export type ErrorCode = CodeOf<typeof errors>;

export const statusOf = (code: ErrorCode): number => errorCatalogue[code][0];

type Placeholder<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

export type ParamsOf<Code extends ErrorCode> = {
  [Name in Placeholder<ErrorCatalogue[Code][1]>]: string | number;
};
