// Converts ANSI text into styled segments. Colours and weights are kept, every other escape
// sequence is dropped. Pure functions.

import { safeAddress, withLinks } from './links.ts';
import { controlSequence, lastState, withoutControls } from '#shared/terminal.ts';

export type AnsiColor = number | `#${string}`;

interface AnsiStyle {
  /** 0 to 15 are the named colours; a string is any other CSS colour. */
  fg?: AnsiColor;
  bg?: AnsiColor;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  inverse?: true;
  strike?: true;
}

export interface AnsiSegment {
  text: string;
  style: AnsiStyle;
  /** The address of a link: http or https. */
  href?: string;
}

const flags: Record<number, keyof AnsiStyle> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
};

const endings: Record<number, (keyof AnsiStyle)[]> = {
  21: ['bold'],
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
  39: ['fg'],
  49: ['bg'],
};

const hex = (...parts: number[]): AnsiColor =>
  `#${parts.map((part) => Math.min(255, part).toString(16).padStart(2, '0')).join('')}`;

function paletteColor(index: number): AnsiColor {
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return hex(grey, grey, grey);
  }
  const cube = index - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return hex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

/** The colour after 38 or 48, and the number of parameters that it used. */
function extendedColor(codes: number[], at: number): [color: AnsiColor | undefined, used: number] {
  const [kind, a = 0, b = 0, c = 0] = codes.slice(at);
  if (kind === 5) return [a <= 255 ? paletteColor(a) : undefined, 2];
  if (kind === 2) return [hex(a, b, c), 4];
  return [undefined, 1];
}

function basicColor(code: number): ['fg' | 'bg', number] | undefined {
  if (code >= 30 && code <= 37) return ['fg', code - 30];
  if (code >= 40 && code <= 47) return ['bg', code - 40];
  if (code >= 90 && code <= 97) return ['fg', code - 82];
  if (code >= 100 && code <= 107) return ['bg', code - 92];
  return undefined;
}

function without(style: AnsiStyle, names: (keyof AnsiStyle)[]): AnsiStyle {
  const rest = { ...style };
  for (const name of names) delete rest[name];
  return rest;
}

// "38:2::1:2:3" and "4:0" have their parts after colons; an empty part counts as missing there.
function numbersOf(parameters: string): number[] {
  return parameters.split(';').flatMap((part) => {
    if (!part.includes(':')) return [Number(part)];
    const [kind, mode, ...rest] = part.split(':');
    if (kind === '4') return [mode === '0' ? 24 : 4];
    const values = mode === '2' && rest.length > 3 ? rest.slice(1) : rest;
    return [kind, mode, ...values].map(Number);
  });
}

function applied(style: AnsiStyle, parameters: string): AnsiStyle {
  const codes = numbersOf(parameters);
  let result = style;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const flag = flags[code];
    const ending = endings[code];
    const color = basicColor(code);
    if (code === 0) result = {};
    else if (flag) result = { ...result, [flag]: true };
    else if (ending) result = without(result, ending);
    else if (color) result = { ...result, [color[0]]: color[1] };
    else if (code === 38 || code === 48) {
      const [value, used] = extendedColor(codes, at + 1);
      if (value !== undefined) result = { ...result, [code === 38 ? 'fg' : 'bg']: value };
      at += used;
    }
  }
  return result;
}

// OSC 8 opens a link, or closes it when it has no address.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const openedLink = /^\u001b\]8;[^;]*;([^\u0007\u001b]*)/;

export function parseAnsi(line: string): AnsiSegment[] {
  const text = lastState(line);
  const segments: AnsiSegment[] = [];
  let style: AnsiStyle = {};
  let end = 0;
  // The address of the link that the line has opened.
  let href: string | undefined;
  const push = (part: string) => {
    const clean = withoutControls(part);
    if (!clean) return;
    if (href !== undefined) segments.push({ text: clean, style, href });
    else segments.push(...withLinks(clean).map((one) => ({ ...one, style })));
  };
  for (const match of text.matchAll(controlSequence)) {
    push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [whole, parameters, final] = match;
    const link = openedLink.exec(whole);
    if (link) href = safeAddress(link[1] ?? '');
    if (final === 'm' && parameters !== undefined && /^[\d;:]*$/.test(parameters)) {
      style = applied(style, parameters);
    }
  }
  push(text.slice(end));
  return segments;
}
