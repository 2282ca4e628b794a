// Splits bytes into lines. Invalid UTF-8 becomes U+FFFD, and lines that are too long are split.

/** A longer line is split. */
export const MAX_LINE_LENGTH = 16 * 1024 * 1024;
/** How much a long line grows before its size as JSON is measured again. */
const blockBytes = 4 * 1024 * 1024;
/** A line is split earlier if its JSON is larger: the request that stores it has a limit. */
const MAX_QUOTED_BYTES = 16 * 1024 * 1024;

const newLine = 0x0a;
const carriageReturn = 0x0d;

export function createLineSplitter(longest = MAX_LINE_LENGTH) {
  // Pieces are joined only once, so that the time for a line of many megabytes is linear.
  let rest: Buffer[] = [];
  let held = 0;
  const block = Math.min(longest, blockBytes);
  /** How many bytes of the last line were measured, and their size as JSON. */
  let measured = { bytes: 0, quoted: 0 };
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
    /** Returns the lines that end in these bytes. The caller may reuse the buffer afterwards. */
    push(bytes: Buffer): string[] {
      const end = bytes.lastIndexOf(newLine);
      const lines = end < 0 ? [] : toLines(takeHeld(bytes.subarray(0, end)));
      if (end >= 0) measured = { bytes: 0, quoted: 0 };
      hold(bytes.subarray(end + 1));
      // One more byte than the limit shows whether a character ends at the limit.
      if (held <= measured.bytes + block) return lines;
      let all = takeHeld();
      while (all.length > measured.bytes + block) {
        const at = characterStart(all, measured.bytes + block);
        const quoted = measured.quoted + quotedBytes(all.subarray(measured.bytes, at));
        measured = { bytes: at, quoted };
        if (at + block <= longest && quoted <= MAX_QUOTED_BYTES) continue;
        lines.push(all.toString('utf8', 0, at));
        all = all.subarray(at);
        measured = { bytes: 0, quoted: 0 };
      }
      hold(all);
      return lines;
    },
    /** The size of the unfinished last line in bytes. */
    held: () => held,
    /**
     * The text of the unfinished last line; null: it is longer than `mostBytes`, and its last bytes have no
     * carriage return, after which a terminal overwrites it.
     */
    partial: (mostBytes: number) => textOf(rest, held, mostBytes),
    /** Returns the unfinished last line, if any. */
    end: () => (held > 0 ? [takeHeld().toString('utf8')] : []),
  };
}

function textOf(pieces: Buffer[], held: number, mostBytes: number): string | null {
  if (held <= mostBytes) return Buffer.concat(pieces).toString('utf8');
  const last: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces.toReversed()) {
    if (bytes >= mostBytes) break;
    last.unshift(piece);
    bytes += piece.length;
  }
  const tail = Buffer.concat(last).subarray(-mostBytes);
  // A cut elsewhere could split a secret.
  const begin = tail.indexOf(carriageReturn);
  return begin < 0 ? null : tail.toString('utf8', begin + 1);
}

const quotedBytes = (bytes: Buffer): number =>
  Buffer.byteLength(JSON.stringify(bytes.toString('utf8')));

function toLines(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n');
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** The byte at which to split: the given one, or the beginning of the character that contains it. */
function characterStart(bytes: Buffer, byte: number): number {
  for (const back of [1, 2, 3]) {
    const first = bytes[byte - back] ?? 0;
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    if (length > back) return byte - back;
    // ASCII: the character ends before the byte.
    if (first < 0x80) return byte;
  }
  return byte;
}
