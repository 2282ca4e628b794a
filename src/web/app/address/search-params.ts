// Reads the search parameters of addresses. Without schemas, so that the first page loads none.

import { isTrail, type Trail } from '../../ui/lists/cursors.ts';
import { isDay } from '../../lib/wall-clock.ts';

/** Reads one parameter, which the router has parsed as JSON; undefined for a value it may not have. */
type Reader<Value> = (given: unknown) => Value | undefined;
type Readers = Record<string, Reader<unknown>>;
export type Search<Of extends Readers> = {
  [Name in keyof Of]?: ReturnType<Of[Name]>;
};

/** Reads the parameters that are named, and no others. */
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

/** Also what is a text although the router has parsed it, such as a number. */
export const text: Reader<string> = (given) =>
  given === undefined || typeof given === 'string' ? given : JSON.stringify(given);

/** A text for which `isRight` holds. */
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

/** What a dialog edits: `new`, or the id of a thing. */
export const edited: Reader<number | 'new'> = (given) =>
  given === 'new' ? given : positive(given);
