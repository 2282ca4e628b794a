// Makes texts that could make a pattern slow: a beginning that the pattern accepts, something
// repeated, and an end that makes it fail.

import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp';

export interface Pattern {
  source: string;
  flags: string;
}

export interface Attack {
  start: string;
  repeated: string;
  end: string;
}

/** Fewer repetitions than this are harmless. */
const many = 32;
const mostStarts = 12;
const mostTokens = 24;
const mostInPairs = 12;

const usual = 'aA0_ \t\n\r-./:@"=\'\\[]{}()<>*+?,;%#&|~\u001b'.split('');
const ends = ['', '\n', ' ', '\u0000'];

/** Empty if the pattern repeats nothing often. */
export function attacksOn(pattern: Pattern): Attack[] {
  const { pattern: tree, flags } = parseRegExpLiteral(`/${pattern.source}/${pattern.flags}`);
  const found: Parts = { starts: new Set(), units: new Set(), flags };
  visit(tree.alternatives, '', found);
  if (found.starts.size === 0) return [];
  const starts = ['', ...found.starts].slice(0, mostStarts);
  const [words, signs] = literals(pattern.source);
  const all = [...words.slice(0, 4), ...found.units, ...signs, ...words];
  const tokens = [...new Set(all)].slice(0, mostTokens);
  const short = tokens.slice(0, mostInPairs);
  const pairs = short.flatMap((one) => short.map((other) => one + other));
  const pumps = [...new Set([...tokens, ...pairs])];
  return starts.flatMap((start) =>
    pumps.flatMap((repeated) => ends.map((end) => ({ start, repeated, end }))),
  );
}

interface Parts {
  /** Texts that lead to a part that is repeated often. */
  starts: Set<string>;
  /** Texts that such a part accepts. */
  units: Set<string>;
  flags: AST.Flags;
}

function visit(alternatives: AST.Alternative[], start: string, found: Parts): void {
  for (const { elements } of alternatives) {
    let before = start;
    for (const element of elements) {
      if (element.type === 'Quantifier' && element.max >= many) {
        found.starts.add(before);
        for (const unit of samplesOf(element.element, found.flags)) found.units.add(unit);
      }
      visitInside(element, before, found);
      before += shortest(element, found.flags);
    }
  }
}

function visitInside(element: AST.Element, start: string, found: Parts): void {
  if (element.type === 'Quantifier') visitInside(element.element, start, found);
  else if ('alternatives' in element) visit(element.alternatives, start, found);
}

function shortest(element: AST.Element, flags: AST.Flags): string {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? []).map((one) => shortest(one, flags)).join('');
    case 'Quantifier':
      return shortest(element.element, flags).repeat(element.min);
    case 'Assertion':
    case 'Backreference':
      return '';
    default:
      return samplesOf(element, flags)[0] ?? '';
  }
}

/** Some texts that a repeated part accepts. */
function samplesOf(element: AST.Element, flags: AST.Flags): string[] {
  if (element.type === 'Character') return [String.fromCodePoint(element.value)];
  if (element.type === 'CharacterSet' || element.type === 'CharacterClass') {
    const some = usual.filter(acceptor(element, flags));
    return some.length > 0 ? [...some.slice(0, 2), ...some.slice(-1)] : [];
  }
  if ('alternatives' in element) {
    return element.alternatives.map(({ elements }) =>
      elements.map((one) => shortest(one, flags)).join(''),
    );
  }
  return [shortest(element, flags)];
}

/** Returns a test whether a part of the pattern matches a character. */
function acceptor(
  { raw }: { raw: string },
  { ignoreCase, unicode, unicodeSets, dotAll }: AST.Flags,
): (character: string) => boolean {
  const set = unicodeSets ? 'v' : unicode ? 'u' : '';
  const pattern = new RegExp(`^${raw}$`, `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${set}`);
  return (character) => pattern.test(character);
}

/** The words and characters of the pattern, without its operators. */
function literals(source: string): [words: string[], signs: string[]] {
  const plain = source.replaceAll(/\\([^a-zA-Z0-9])/g, '$1');
  const words = plain.match(/[\w:/. -]{2,12}/g) ?? [];
  const signs = plain.match(/[^\w()[\]?*+|^$\\]/g) ?? [];
  return [words.toSorted((a, b) => a.length - b.length), signs];
}
