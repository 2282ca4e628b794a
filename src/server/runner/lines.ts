// Bytes from a pipe → lines. Invalid UTF-8 becomes U+FFFD; a line that never ends is cut.

/** Characters after which a line is cut and goes on in the next one. */
export const longestLine = 16 * 1024 * 1024;

export interface LineSplitter {
  push: (bytes: Buffer) => string[];
  /** What is left when the pipe closes. */
  end: () => string[];
}

export function createLineSplitter(): LineSplitter {
  const decoder = new TextDecoder('utf-8');
  let rest: string[] = [];
  let restLength = 0;
  const take = (text: string): string[] => {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    const lines = parts.map((part) => {
      const whole = rest.length > 0 ? rest.join('') + part : part;
      rest = [];
      restLength = 0;
      return whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    });
    // Pieces are joined once, so that a line of many megabytes costs no more than its length.
    if (last) rest.push(last);
    restLength += last.length;
    if (restLength < longestLine) return lines;
    lines.push(rest.join(''));
    rest = [];
    restLength = 0;
    return lines;
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    end() {
      const lines = take(decoder.decode());
      return rest.length > 0 ? [...lines, rest.join('')] : lines;
    },
  };
}
