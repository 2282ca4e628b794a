// Bytes from a pipe → lines. Invalid UTF-8 becomes U+FFFD; a line that never ends is cut.

/** Bytes after which a line is cut and goes on in the next one. */
export const longestLine = 16 * 1024 * 1024;

export interface LineSplitter {
  /** The bytes may be written over afterwards. */
  push: (bytes: Buffer) => string[];
  /** Bytes of a line whose end has not come yet. */
  held: () => number;
  /** What is left when the pipe closes. */
  end: () => string[];
}

const newLine = 0x0a;

export function createLineSplitter(longest = longestLine): LineSplitter {
  // Pieces are joined once, so that a line of many megabytes costs no more than its length.
  let rest: Buffer[] = [];
  let held = 0;
  const hold = (bytes: Buffer): void => {
    if (bytes.length > 0) rest.push(Buffer.from(bytes));
    held += bytes.length;
  };
  const takeHeld = (...more: Buffer[]): Buffer => {
    const all = rest.length > 0 ? Buffer.concat([...rest, ...more]) : Buffer.concat(more);
    rest = [];
    held = 0;
    return all;
  };
  return {
    push(bytes) {
      const end = bytes.lastIndexOf(newLine);
      const lines = end < 0 ? [] : toLines(takeHeld(bytes.subarray(0, end)));
      hold(bytes.subarray(end + 1));
      // One byte more than that, so that it shows whether a character ends there.
      if (held <= longest) return lines;
      let all = takeHeld();
      while (all.length > longest) {
        const at = characterStart(all, longest);
        lines.push(all.toString('utf8', 0, at));
        all = all.subarray(at);
      }
      hold(all);
      return lines;
    },
    held: () => held,
    end: () => (held > 0 ? [takeHeld().toString('utf8')] : []),
  };
}

function toLines(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n');
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Where to cut so that no character is cut: at the byte, or where its character begins. */
function characterStart(bytes: Buffer, byte: number): number {
  for (const back of [1, 2, 3]) {
    const first = bytes[byte - back] ?? 0;
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    if (length > back) return byte - back;
    // Neither the first byte of a character nor one behind it.
    if (first < 0x80) return byte;
  }
  return byte;
}
