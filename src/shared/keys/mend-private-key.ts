// Repairs the whitespace of a private key that was damaged by a form or file.

/** The line lengths of OpenSSH and OpenSSL. */
const widths = { openssh: 70, pem: 64 };

const quotes = ['"', "'", '`'];

/**
 * A private key with the whitespace that OpenSSH expects. Repairs CRLF, indentation, quotes and blank lines around the
 * key, escaped line breaks (`\n`), and missing ones. Returns other texts unchanged.
 */
export function mendPrivateKey(text: string): string {
  const unquoted = unquote(text.replace('\uFEFF', '').trim());
  const broken = unquoted.replaceAll(String.raw`\r`, '').replaceAll(String.raw`\n`, '\n');
  const blocks = blocksIn(broken);
  return blocks === null ? text : blocks.map(mendBlock).join('');
}

function unquote(text: string): string {
  const quote = quotes.find((one) => text.startsWith(one) && text.endsWith(one));
  return quote === undefined ? text : text.slice(1, -1);
}

interface Block {
  /** For example `RSA PRIVATE KEY`. */
  label: string;
  body: string;
}

/** The private keys in a text; null: it contains anything else. */
function blocksIn(text: string): Block[] | null {
  const blocks: Block[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const label = /^-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY)-----/.exec(rest)?.[1];
    if (label === undefined) return null;
    const [begin, end] = [`-----BEGIN ${label}-----`, `-----END ${label}-----`];
    const until = rest.indexOf(end);
    if (until === -1) return null;
    blocks.push({ label, body: rest.slice(begin.length, until) });
    rest = rest.slice(until + end.length).trimStart();
  }
  return blocks.length === 0 ? null : blocks;
}

function mendBlock({ label, body }: Block): string {
  const words = body.split(/\s+/).filter((word) => word !== '');
  const headers: string[] = [];
  while (words[0]?.endsWith(':')) headers.push(words.splice(0, 2).join(' '));
  const width = label.startsWith('OPENSSH ') ? widths.openssh : widths.pem;
  const lines = [
    `-----BEGIN ${label}-----`,
    // An empty line ends the headers.
    ...(headers.length > 0 ? [...headers, ''] : []),
    ...linesOf(words.join(''), width),
    `-----END ${label}-----`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const linesOf = (text: string, width: number): string[] =>
  Array.from({ length: Math.ceil(text.length / width) }, (_, index) =>
    text.slice(index * width, (index + 1) * width),
  );
