// Words of comments, messages and documents.

import type { Rule } from './source.ts';

/** Pictures for which the field has a plain word, with that word. */
const plainWords: [picture: RegExp, plain: string][] = [
  [/\banew\b/i, 'again'],
  [/\bheed(?:s|ed|ing)?\b/i, 'follow, use'],
  [/\bknock(?:s|ed|ing)?\b/i, 'ask, try'],
  [/\bdoors?\b/i, 'endpoint, sign-in'],
  [/\bpatience\b/i, 'a limit with its unit, such as longestAnswerMs'],
  [/\bin (?:the|its|his|their) hands\b|\bin hand\b/i, 'hold, be assigned to'],
  [/\bturn(?:s|ed)? away\b/i, 'refuse'],
];

/** The pictures in a text, each with the words to use instead. */
export const picturesIn = (text: string): string[] =>
  plainWords.flatMap(([picture, plain]) => {
    const found = picture.exec(text)?.[0];
    return found === undefined ? [] : [`"${found}": say ${plain}`];
  });

// These two contain the pictures as examples.
const examples = /^test\/architecture(?:\.test\.ts$|\/word-rules\.ts$)/;

export const plainWordsOnly: Rule = (files) =>
  files
    .filter(({ path }) => !examples.test(path))
    .flatMap(({ path, text }) => picturesIn(text).map((words) => `${path} has ${words}.`));
