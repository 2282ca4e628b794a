// Takes known secrets out of a log: plain, base64, URL-encoded and JSON-escaped.
// It is given whole lines, so a secret that came in two pieces is found as well.

import { trimEndOf } from '#shared/trim-end.ts';

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
  const mayHold = createFilter(ordered);
  return (line) => (mayHold(line) ? line.replace(pattern, hidden) : line);
}

/** A mask of these secrets that can hide further ones later; adds those to the list. */
export function createGrowingMask(secrets: string[]): {
  mask: Mask;
  hide: (found: string[]) => void;
} {
  let current = createMask(secrets);
  return {
    mask: (line) => current(line),
    hide(found) {
      secrets.push(...found);
      current = createMask(secrets);
    },
  };
}

/** What a program says of its end is told elsewhere only without secrets. */
export function maskError(error: unknown, mask: Mask): Error {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return Object.assign(new Error(mask(message)), { stack: mask(stack) });
}

// Five bits a character, so that after `shortest` more the first one has left the window.
const windowBits = 5 * shortest;
const slide = (window: number, code: number): number =>
  ((window << 5) ^ code) & ((1 << windowBits) - 1);

/** Tells in one pass that a line holds none of the forms; hundreds of them cost no more than one. */
function createFilter(forms: string[]): (line: string) => boolean {
  const begins = new Uint8Array(1 << windowBits);
  for (const form of forms) {
    let window = 0;
    for (let at = 0; at < shortest; at += 1) window = slide(window, form.charCodeAt(at));
    begins[window] = 1;
  }
  return (line) => {
    let window = 0;
    for (let at = 0; at < line.length; at += 1) {
      window = slide(window, line.charCodeAt(at));
      if (begins[window] === 1 && at >= shortest - 1) return true;
    }
    return false;
  };
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
    const last = trimEndOf(text, '=').length - (partial === 0 ? 0 : 1);
    return text.slice(first, last);
  });
  return [bytes.toString('base64'), ...shifted.filter((text) => text.length >= 8)];
}
