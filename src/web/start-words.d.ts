declare module 'virtual:start-words/*' {
  /** The groups of a language that `scripts/start-words.ts` picks. */
  const words: Record<string, Record<string, unknown>>;
  export default words;
}
