// Reads the search parameters of addresses. Without schemas, so that the first page loads none.

import { isTrail, type Trail } from '../../ui/lists/cursors.ts';
import { isDay } from '../../lib/wall-clock.ts';

/** Reads one parameter, which the router has parsed as JSON; undefined for an invalid value. */
type Reader<Value> = (given: unknown) => Value | undefined;
type Readers = Record<string, Reader<unknown>>;
export type Search<Of extends Readers> = {
  [Name in keyof Of]?: ReturnType<Of[Name]>;
};

/** Reads the named parameters only. */
export const searchOf = <Of extends Readers>(readers: Of) => ({
  parse: (given: Record<string, unknown>): Search<Of> =>
    Object.fromEntries(
      Object.entries(readers).map(([name, read]) => [name, read(given[name])]),
    ) as Search<Of>,
});

export const positive: Reader<number> = (given) => {
  const number = Number(given);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

/** Also accepts what the router has parsed as another type, such as a number. */
export const text: Reader<string> = (given) =>
  given === undefined || typeof given === 'string' ? given : JSON.stringify(given);

export const textThat =
  (isRight: (given: string) => boolean): Reader<string> =>
  (given) =>
    typeof given === 'string' && isRight(given) ? given : undefined;

export const oneOf =
  <const Value>(values: readonly Value[]): Reader<Value> =>
  (given) =>
    values.find((value) => value === given);

export const day = textThat(isDay);

/** The cursors of the pages of a list; see cursors.ts. */
export const trail: Reader<Trail> = textThat(isTrail);

/** What a dialog edits: `new`, or the id of a resource. */
export const edited: Reader<number | 'new'> = (given) =>
  given === 'new' ? given : positive(given);
