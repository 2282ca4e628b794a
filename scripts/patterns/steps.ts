// Counts the steps that a backtracking engine such as that of JavaScript takes for a pattern and a
// text. The count does not depend on how busy the machine is.

import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp';

export interface Pattern {
  source: string;
  flags: string;
}

/** Continues after what has matched; answers whether the rest matched too. */
type Next = (at: number) => boolean;
type Matcher = (at: number, next: Next) => boolean;

class TooManySteps extends Error {}

/** How many steps the search for the pattern in the text takes; at most `limit`. */
export function stepCounter(pattern: Pattern): (text: string, limit: number) => number {
  const { pattern: tree, flags } = parseRegExpLiteral(`/${pattern.source}/${pattern.flags}`);
  const state = { text: '', steps: 0, limit: 0 };
  const match = oneOf(tree.alternatives, { state, flags });
  return (text, limit) => {
    Object.assign(state, { text, steps: 0, limit });
    const last = flags.sticky ? 0 : text.length;
    try {
      for (let start = 0; start <= last; start += 1) if (match(start, () => true)) break;
    } catch (error) {
      if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error;
      return limit;
    }
    return state.steps;
  };
}

interface Engine {
  state: { text: string; steps: number; limit: number };
  flags: AST.Flags;
}

function oneOf(alternatives: AST.Alternative[], engine: Engine): Matcher {
  const all = alternatives.map(({ elements }) => inOrder(elements, engine));
  return (at, next) => all.some((match) => match(at, next));
}

function inOrder(elements: AST.Element[], engine: Engine): Matcher {
  const nothing: Matcher = (at, next) => next(at);
  return elements
    .map((element) => matcherOf(element, engine))
    .reduceRight((rest, match) => (at, next) => match(at, (to) => rest(to, next)), nothing);
}

function matcherOf(element: AST.Element, engine: Engine): Matcher {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return oneOf(element.alternatives, engine);
    case 'Quantifier':
      return repeated(element, engine);
    case 'Assertion':
      return assertion(element, engine);
    case 'Backreference':
      return (at, next) => next(at);
    default:
      return oneCharacter(acceptor(element, engine.flags), engine);
  }
}

function oneCharacter(accepts: (character: string) => boolean, { state }: Engine): Matcher {
  return (at, next) => {
    state.steps += 1;
    if (state.steps >= state.limit) throw new TooManySteps();
    const character = state.text[at];
    return character !== undefined && accepts(character) && next(at + 1);
  };
}

function repeated({ element, min, max, greedy }: AST.Quantifier, engine: Engine): Matcher {
  const match = matcherOf(element, engine);
  const from = (at: number, count: number, next: Next): boolean => {
    const more = (): boolean =>
      count < max && match(at, (to) => (to > at || count < min) && from(to, count + 1, next));
    const enough = (): boolean => count >= min && next(at);
    return greedy ? more() || enough() : enough() || more();
  };
  return (at, next) => from(at, 0, next);
}

const isWord = (character = ''): boolean => /^\w$/.test(character);

function assertion(element: AST.Assertion, engine: Engine): Matcher {
  const { state, flags } = engine;
  const isLineEnd = (character: string | undefined): boolean =>
    character === undefined || (flags.multiline && character === '\n');
  if (element.kind === 'lookahead') {
    const match = oneOf(element.alternatives, engine);
    return (at, next) => match(at, () => true) !== element.negate && next(at);
  }
  const holds = (at: number): boolean => {
    const [before, behind] = [state.text[at - 1], state.text[at]];
    if (element.kind === 'start') return isLineEnd(before);
    if (element.kind === 'end') return isLineEnd(behind);
    if (element.kind === 'word') return (isWord(before) !== isWord(behind)) !== element.negate;
    return true;
  };
  return (at, next) => holds(at) && next(at);
}

/** Answers whether a character fits a part of the pattern that stands for one character. */
export function acceptor(
  { raw }: { raw: string },
  { ignoreCase, unicode, unicodeSets, dotAll }: AST.Flags,
): (character: string) => boolean {
  const set = unicodeSets ? 'v' : unicode ? 'u' : '';
  const pattern = new RegExp(`^${raw}$`, `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${set}`);
  const known = new Map<string, boolean>();
  return (character) => {
    const answer = known.get(character) ?? pattern.test(character);
    known.set(character, answer);
    return answer;
  };
}
