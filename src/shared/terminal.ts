// How a terminal would show a line of a log. The console draws this text, and the search reads it.

import { trimEndOf } from './trim-end.ts';

/* Control sequences: CSI with its parameters and its final byte, OSC up to BEL or ST, the string
   kinds up to ST, and the short ones. One that is cut off at the end of the line counts too. */
export const controlSequence =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~]|$)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[ -/]*(?:[0-~]|$)/g;

// Other control characters would be drawn as boxes and are removed; tabs stay.
// oxlint-disable-next-line no-control-regex -- see above
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;
// oxlint-disable-next-line no-control-regex -- see above
const anyControl = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;

/** A line after its carriage returns, which progress bars print: only the last state is shown. */
export function lastState(line: string): string {
  if (!line.includes('\r')) return line;
  const text = trimEndOf(line, '\r');
  return text.slice(text.lastIndexOf('\r') + 1);
}

export const withoutControls = (text: string): string => text.replace(controls, '');

/** The visible characters, without colours and other control sequences. */
export function shownText(line: string): string {
  if (!anyControl.test(line)) return line;
  return withoutControls(lastState(line).replace(controlSequence, ''));
}

// oxlint-disable-next-line no-control-regex -- see above
const styles = /\u001b\[[0-?]*[ -/]*[@-~]/g;
// oxlint-disable-next-line no-control-regex -- see above
const otherControl = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** Several lines at once, as they are shown; null when they have control sequences other than styles. */
export function withoutStyles(text: string): string | null {
  const plain = text.replace(styles, '');
  return otherControl.test(plain) ? null : plain;
}

/** A regular expression that finds a text literally, as the search of the server does. */
export function textPattern(text: string, matchCase: boolean, flags = ''): RegExp {
  // Not `RegExp.escape`, which only recent browsers have.
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(escaped, `${flags}${matchCase ? '' : 'i'}u`);
}
