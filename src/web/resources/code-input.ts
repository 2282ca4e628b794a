/** The props of an input for names and expressions of programs. */
export const codeInput = {
  classNames: { input: 'mono' },
  autoComplete: 'off',
  spellCheck: false,
} as const;
