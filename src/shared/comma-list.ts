/** The non-empty entries of a comma-separated list. */
export const splitList = (text: string): string[] =>
  text === ''
    ? []
    : text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean);
