// Texts by which columns reserve their width; see `Column.room`.

/** Room for a text of about this many characters. */
export const roomForCharacters = (count: number): readonly string[] => ['0'.repeat(count)];

/** Room for a chip with any of these words: an em and an en space for its icon and its padding. */
export const roomForChips = (words: readonly string[]): readonly string[] =>
  words.map((word) => `\u2003\u2002${word}`);
