// Placeholders are replaced in the parsed LDAP filter, which prevents injection.

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

/** Decodes escaped UTF-8 bytes, since the parser reads each byte as one character. */
const withoutEscapedBytes = (template: string): string =>
  template.replaceAll(/(?:\\[89a-f][\da-f])+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString(),
  );

/** Returns null for a valid filter. */
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

/** Placeholders that are not known, and are sent literally. */
export const unknownPlaceholders = (template: string, placeholders: string[]): string[] =>
  [...new Set(template.match(/\{\w*\}/g))].filter((one) => !placeholders.includes(one));
