// Finds the failures of hosts in the lines of one section of an Ansible log. Pure.

import { shownText } from '#shared/terminal.ts';
import { failedHostIn, ignoring } from './log-outline.ts';

export interface FoundError {
  host: string;
  error: string;
}

const MAX_ERROR_LENGTH = 4096;
/** Lines below a failure that may belong to it. */
const MAX_LINES = 50;

export interface ErrorReader {
  readonly errors: readonly FoundError[];
  read: (output: string) => void;
}

export function createErrorReader(): ErrorReader {
  const errors: FoundError[] = [];
  let left = 0;
  return {
    errors,
    read(output) {
      const text = shownText(output);
      const host = failedHostIn(text);
      const last = errors.at(-1);
      if (host !== null) {
        errors.push({ host, error: text.slice(0, MAX_ERROR_LENGTH) });
        // Some callbacks print the result below this line, as YAML or JSON of several lines.
        left = /=>\s?\{?$/.test(text) ? MAX_LINES : 0;
      } else if (text === ignoring) {
        errors.pop();
        left = 0;
      } else if (last && left > 0 && text !== '') {
        last.error = `${last.error}\n${text}`.slice(0, MAX_ERROR_LENGTH);
        left -= 1;
      } else {
        left = 0;
      }
    },
  };
}
