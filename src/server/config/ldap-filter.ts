// Filters of the identity file. Placeholders are replaced in the parsed filter, so a text is a value
// whatever characters it has, and never a part of the filter's text.

import {
  AndFilter,
  ApproximateFilter,
  EqualityFilter,
  ExtensibleFilter,
  FilterParser,
  GreaterThanEqualsFilter,
  LessThanEqualsFilter,
  NotFilter,
  OrFilter,
  SubstringFilter,
  type Filter,
} from 'ldapts';

const comparisons = [
  EqualityFilter,
  ApproximateFilter,
  GreaterThanEqualsFilter,
  LessThanEqualsFilter,
  ExtensibleFilter,
];

/** A filter whose placeholders, such as `{dn}`, are replaced by texts. */
export function fillFilter(template: string, texts: Record<string, string>): Filter {
  const filter = FilterParser.parseString(withoutEscapedBytes(template));
  fill(filter, (text) => text.replaceAll(/\{\w+\}/g, (name) => texts[name] ?? name));
  return filter;
}

function fill(filter: Filter, put: (text: string) => string): void {
  const putEach = (value: Buffer | string): string => put(value.toString());
  if (filter instanceof AndFilter || filter instanceof OrFilter) {
    for (const one of filter.filters) fill(one, put);
  } else if (filter instanceof NotFilter) fill(filter.filter, put);
  else if (filter instanceof SubstringFilter) {
    filter.initial = putEach(filter.initial);
    filter.any = filter.any.map(putEach);
    filter.final = putEach(filter.final);
  } else if (isComparison(filter)) filter.value = putEach(filter.value);
}

const isComparison = (filter: Filter): filter is InstanceType<(typeof comparisons)[number]> =>
  comparisons.some((one) => filter instanceof one);

/** Writes escaped bytes of UTF-8 as their characters, since the parser takes each byte for one character. */
const withoutEscapedBytes = (template: string): string =>
  template.replaceAll(/(?:\\[89a-f][\da-f])+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString(),
  );

/** What is wrong with a filter that has to have one of these placeholders; null when it is right. */
export function filterMistake(template: string, placeholders: string[]): string | null {
  const names = placeholders.join(' or ');
  if (!placeholders.some((one) => template.includes(one))) {
    return `must have ${names} where the text belongs`;
  }
  try {
    const nothing = Object.fromEntries(placeholders.map((one) => [one, '']));
    const filled = fillFilter(template, nothing).toString();
    const left = placeholders.find((one) => filled.includes(one));
    return left === undefined ? null : `has ${left} where no value belongs`;
  } catch {
    return `must be a filter such as (uid=${placeholders[0] ?? ''})`;
  }
}

/** The names in braces that a filter has besides these placeholders, and which are sent as they are. */
export const unknownPlaceholders = (template: string, placeholders: string[]): string[] =>
  [...new Set(template.match(/\{\w*\}/g))].filter((one) => !placeholders.includes(one));
