declare module 'virtual:start-words/*' {
  /** The groups of a language that `scripts/words.ts` picks. */
  const words: Record<string, Record<string, unknown>>;
  export default words;
}

declare module 'virtual:all-words/en' {
  /** All English words, with those of the server's catalogues. */
  const words: Record<string, Record<string, unknown>>;
  export default words;
}
