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

// These contain the pictures as examples.
const examples = /^test\/architecture\/word-(?:rules|cases)\.ts$/;

/** Names of types that say nothing of their noun. */
const emptyTypeNames =
  /\b(?:interface|type) (?:Place|Asked|Which|Given|Told|Found|Known|Came|Taken|Wanted|Things?)\b/;

/** Words that only this product used, in identifiers, with those of the field. */
const fieldWords: [identifier: RegExp, field: string][] = [
  [emptyTypeNames, 'name the type after its noun'],
  [/\b\w*Desk\b|\bdesk\b(?=[.,:;)=])/, 'runner API'],
  [/\b(?:Bell|Rounds|Slots)\b(?=[(<>;,])/, 'Signal, CoalescingLoop, Semaphore'],
  [/\b(?:inTurn|takeTurn|whenAllEnded)\(/, 'runExclusive, yieldToEventLoop, allSettledOrThrow'],
  [/\bfunction see[A-Z]\w*|\bconst see[A-Z]\w*/, 'get or list'],
  [
    /\b(?:AskedLook|lookAt|noteLife|awaitNews|tellRun)\b/,
    'inspection, heartbeat, longPoll, applyRunEvent',
  ],
  [
    /^(?:export )?const (?:most|longest|shortest|least)[A-Z]\w* = -?\d/m,
    'MAX_ or MIN_ with its unit',
  ],
];

/** The product's identifiers that are refused, each with the word to use instead. */
export const fieldWordsOnly: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('src/') && !examples.test(path))
    .flatMap(({ path, code }) =>
      fieldWords.flatMap(([identifier, field]) => {
        const found = identifier.exec(code)?.[0];
        return found === undefined ? [] : [`${path} has "${found}": ${field}.`];
      }),
    );

export const plainWordsOnly: Rule = (files) =>
  files
    .filter(({ path }) => !examples.test(path))
    .flatMap(({ path, text }) => picturesIn(text).map((words) => `${path} has ${words}.`));
