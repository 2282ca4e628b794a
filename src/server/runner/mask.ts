// Takes known secrets out of a log: plain, base64, URL-encoded and JSON-escaped.
// It is given whole lines, so a secret that came in two pieces is found as well.

const hidden = '********';

// Shorter ones would take common letters out of every line and hide nothing.
const shortest = 4;

export type Mask = (line: string) => string;

export function createMask(secrets: string[]): Mask {
  const forms = new Set(secrets.flatMap(linesOf).flatMap(formsOf));
  if (forms.size === 0) return (line) => line;
  // The longest first, so that no part of one stays behind another that it contains.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(ordered.map(RegExp.escape).join('|'), 'g');
  return (line) => line.replace(pattern, hidden);
}

/** A private key is printed line by line; its frame is no secret. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => !line.startsWith('-----'));
  return [secret, ...lines].map((line) => line.trim());
}

function formsOf(secret: string): string[] {
  if (secret.length < shortest) return [];
  const bytes = Buffer.from(secret);
  const encoded = [
    secret,
    ...urlForms(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64url'),
    ...base64Forms(bytes),
  ];
  return encoded.filter((form) => form.length >= shortest);
}

/** Encoders differ in what they leave as it is: brackets and quotes, slashes, spaces. */
function urlForms(secret: string): string[] {
  const loose = encodeURIComponent(secret.toWellFormed());
  const strict = loose.replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return [loose, strict]
    .flatMap((text) => [text, text.replaceAll('%2F', '/')])
    .flatMap((text) => [text, text.replaceAll('%20', '+')]);
}

/**
 * Base64 of the secret alone and inside a longer text, where it may begin at three
 * offsets; the characters that it shares with its neighbours are left out.
 */
function base64Forms(bytes: Buffer): string[] {
  const shifted = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = offset === 0 ? 0 : offset + 1;
    const partial = (offset + bytes.length) % 3;
    const last = text.replace(/=+$/, '').length - (partial === 0 ? 0 : 1);
    return text.slice(first, last);
  });
  return [bytes.toString('base64'), ...shifted.filter((text) => text.length >= 8)];
}
