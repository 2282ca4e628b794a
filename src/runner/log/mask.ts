// Masks known secrets in a log: plain, base64, URL-encoded and escaped as in JSON. The mask receives whole lines, so
// it also finds a secret that was read in two pieces.

import { trimEndOf } from '#shared/trim-end.ts';
import { escapedForms } from './escaped-forms.ts';

const hidden = '********';

// Shorter secrets would mask common letters in every line and protect nothing.
const shortest = 4;

export type Mask = (line: string) => string;

function patternOf(secrets: string[]): { ordered: string[]; pattern: RegExp | null } {
  const forms = new Set(secrets.flatMap(linesOf).flatMap(formsOf));
  // The longest come first: masking a shorter one inside a longer one would leave the rest readable.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  const pattern = ordered.length > 0 ? new RegExp(ordered.map(RegExp.escape).join('|'), 'g') : null;
  return { ordered, pattern };
}

export function createMask(secrets: string[]): Mask {
  const { ordered, pattern } = patternOf(secrets);
  if (!pattern) return (line) => line;
  const mayHold = createFilter(ordered);
  return (line) => (mayHold(line) ? line.replace(pattern, hidden) : line);
}

/** Masks a text whose end is cut off, also a secret that may continue after it. */
export type PartMask = (text: string) => string;

export function createPartMask(secrets: string[]): PartMask {
  const { ordered, pattern } = patternOf(secrets);
  if (!pattern) return (text) => text;
  return (text) => {
    const end = Math.min(...ordered.map((form) => beginOf(form, text)));
    let shown = '';
    let at = 0;
    for (const { index, 0: found } of text.matchAll(pattern)) {
      if (index >= end) break;
      shown += text.slice(at, index) + hidden;
      at = index + found.length;
    }
    return shown + text.slice(at, Math.max(at, end));
  };
}

/** Masks a text whose beginning is cut off, also a secret that may begin before it. */
export function createTailMask(secrets: string[]): PartMask {
  const { ordered, pattern } = patternOf(secrets);
  if (!pattern) return (text) => text;
  return (text) => {
    let at = Math.max(...ordered.map((form) => endOf(form, text)));
    let shown = '';
    for (const { index, 0: found } of text.matchAll(pattern)) {
      const end = index + found.length;
      if (end <= at) continue;
      shown += text.slice(at, Math.max(at, index)) + hidden;
      at = end;
    }
    return shown + text.slice(at);
  };
}

/** Where in the text a form ends that begins before the text; 0: none. */
function endOf(form: string, text: string): number {
  const [first] = text;
  if (first === undefined) return 0;
  let at = Math.max(1, form.length - text.length);
  for (at = form.indexOf(first, at); at >= 0; at = form.indexOf(first, at + 1)) {
    if (text.startsWith(form.slice(at))) return form.length - at;
  }
  return 0;
}

/** Where in the text a form begins that continues after the text; the length of the text: none. */
function beginOf(form: string, text: string): number {
  const [first = ''] = form;
  let at = Math.max(0, text.length - form.length + 1);
  for (at = text.indexOf(first, at); at >= 0; at = text.indexOf(first, at + 1)) {
    if (form.startsWith(text.slice(at))) return at;
  }
  return text.length;
}

/** A mask to which secrets can be added, also in the list. */
export function createGrowingMask(secrets: string[]): {
  mask: Mask;
  maskPart: PartMask;
  maskTail: PartMask;
  hide: (found: string[]) => void;
} {
  let current = createMask(secrets);
  // Created lazily, because most programs print whole lines only.
  let ofParts: PartMask | null = null;
  let ofTails: PartMask | null = null;
  return {
    mask: (line) => current(line),
    maskPart: (text) => (ofParts ??= createPartMask(secrets))(text),
    maskTail: (text) => (ofTails ??= createTailMask(secrets))(text),
    hide(found) {
      secrets.push(...found);
      current = createMask(secrets);
      ofParts = null;
      ofTails = null;
    },
  };
}

/** A copy of an error without secrets in its message and stack. */
export function maskError(error: unknown, mask: Mask): Error {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return Object.assign(new Error(mask(message)), { stack: mask(stack) });
}

// Rolling hash: each character shifts the window by five bits, so it covers the last `shortest` characters only.
const windowBits = 5 * shortest;
const slide = (window: number, code: number): number =>
  ((window << 5) ^ code) & ((1 << windowBits) - 1);

/** Checks in one pass whether a line may contain a form; the time does not grow with the number of forms. */
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

/** Programs print a private key line by line. Its first and last line are no secret. */
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
    ...escapedForms(secret),
    bytes.toString('base64url'),
    ...base64Forms(bytes),
  ];
  return encoded.filter((form) => form.length >= shortest);
}

/** Encoders differ in whether they encode brackets and quotes, slashes, and spaces. */
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
 * Base64 of the secret alone and inside a longer text at each of three offsets, without the characters that
 * encode its neighbours too.
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
