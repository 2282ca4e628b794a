// Splits the limit of a run into its patterns exactly as Ansible does (`split_host_pattern`), with its
// oddities: any other split could select other hosts.

/** The patterns between commas; of a limit without commas those between colons and white space. */
export function splitLimit(limit: string): string[] {
  const parts = limit.includes(',') ? limit.split(',') : withoutCommas(limit);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const withoutCommas = (limit: string): string[] => (isAddress(limit) ? [limit] : piecesOf(limit));

/** The pieces between colons, white space and lone brackets; a pair of brackets belongs to its piece. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  const lastClosing = text.lastIndexOf(']');
  let piece = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '[' && at < lastClosing) {
      const closing = text.indexOf(']', at);
      piece += text.slice(at, closing + 1);
      at = closing;
    } else if (/[\s:[\]]/.test(sign)) {
      pieces.push(piece);
      piece = '';
    } else {
      piece += sign;
    }
  }
  return [...pieces, piece].filter((one) => one !== '');
}

const bracketed = /^\[(.+)\]:[0-9]+$/u;
const withPort = /^((?:[^:[\]]|\[[^\]]*\])*):[0-9]+$/u;

/** Whether the text is a host or a range of hosts, with or without a port. */
function isAddress(text: string): boolean {
  const inside = bracketed.exec(text)?.[1] ?? text;
  const address = withPort.exec(inside)?.[1] ?? inside;
  return isVersion4(address) || isVersion6(address) || isName(address);
}

// Ranges such as `[1:20]` or `[a:f:2]` are replaced with this sign, which no name has.
const range = '\uE000';

const numbers = /\[[0-9]+:[0-9]+(?::[0-9]+)?\]/g;
const isVersion4 = (text: string): boolean => {
  const parts = text.replaceAll(numbers, range).split('.');
  return (
    parts.length === 4 &&
    parts.every((part) => /^(?:25[0-5]|2[0-4]\d|[01]?\d{1,2}|\uE000)$/.test(part))
  );
};

// Only the last of these is anchored at its end, as in Ansible.
const hexadecimal = /\[[0-9a-f]+:[0-9a-f]+(?::[0-9]+)?\]/gi;
const forms = [
  /^::/,
  /^(?:(?:[\da-f]{1,4}|\uE000):){7}(?:[\da-f]|\uE000)/i,
  /^(?:(?:[\da-f]{1,4}|\uE000):){1,6}:/i,
  /^(?:0:){6}(?:(?:[\da-f]{1,4}|\uE000)\.){3}(?:[\da-f]|\uE000)/i,
  /^(?:0:){5}ffff:(?:(?:[\da-f]{1,4}|\uE000)\.){3}(?:[\da-f]{1,4}|\uE000)$/i,
];
const isVersion6 = (text: string): boolean => {
  const short = text.replaceAll(hexadecimal, range);
  return forms.some((form) => form.test(short));
};

const letters = /\[(?:[a-z]:[a-z]|[0-9]+:[0-9]+)(?::[0-9]+)?\]/gi;
const isName = (text: string): boolean =>
  text
    .replaceAll(letters, range)
    .split('.')
    .every(
      (label) => /^[\p{L}\p{N}_\uE000][\p{L}\p{N}_\uE000-]*$/u.test(label) && !/[_-]$/.test(label),
    );
