// Lines of a log as a terminal shows them, for the console and for searches.

import { trimEndOf } from './trim-end.ts';

/* Control sequences: CSI with its parameters and its final byte, OSC up to BEL or ST, string sequences up to ST, and short
   ones; also incomplete ones at the end of a line. */
export const controlSequence =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~]|$)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[ -/]*(?:[0-~]|$)/g;

// Other control characters would be drawn as boxes and are removed; tabs stay.
// oxlint-disable-next-line no-control-regex -- see above
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;
// oxlint-disable-next-line no-control-regex -- see above
const anyControl = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;

/** The last state of a line with carriage returns, which progress bars print. */
export function lastState(line: string): string {
  if (!line.includes('\r')) return line;
  const text = trimEndOf(line, '\r');
  return text.slice(text.lastIndexOf('\r') + 1);
}

export const withoutControls = (text: string): string => text.replace(controls, '');

/** Without colours and other control sequences. */
export function shownText(line: string): string {
  if (!anyControl.test(line)) return line;
  return withoutControls(lastState(line).replace(controlSequence, ''));
}

// oxlint-disable-next-line no-control-regex -- see above
const styles = /\u001b\[[0-?]*[ -/]*[@-~]/g;
// oxlint-disable-next-line no-control-regex -- see above
const otherControl = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** Several lines without styles; null: they contain other control sequences. */
export function withoutStyles(text: string): string | null {
  const plain = text.replace(styles, '');
  return otherControl.test(plain) ? null : plain;
}

/** A regular expression for a literal text, consistent with the server's search. */
export function textPattern(text: string, matchCase: boolean, flags = ''): RegExp {
  // `RegExp.escape` exists in recent browsers only.
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(escaped, `${flags}${matchCase ? '' : 'i'}u`);
}
