/** The entries of a text that separates them with commas, without empty ones. */
export const splitList = (text: string): string[] =>
  text === ''
    ? []
    : text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean);
