// What a terminal shows of a line of a log: the console draws it and the search looks in it.

import { trimEndOf } from './trim-end.ts';

/* Control sequences: CSI with its parameters and its final byte, OSC up to BEL or ST, the string
   kinds up to ST, and the short ones. One that is cut off at the end of the line counts too. */
export const controlSequence =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~]|$)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[ -/]*(?:[0-~]|$)/g;

// Other control characters would show as boxes; the tab stays.
// oxlint-disable-next-line no-control-regex -- see above
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;
// oxlint-disable-next-line no-control-regex -- see above
const anyControl = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;

/** A line that returns to its start, as progress bars do: only its last state is shown. */
export function lastState(line: string): string {
  if (!line.includes('\r')) return line;
  const text = trimEndOf(line, '\r');
  return text.slice(text.lastIndexOf('\r') + 1);
}

export const withoutControls = (text: string): string => text.replace(controls, '');

/** The letters that are seen, without colours and whatever else steers a terminal. */
export function shownText(line: string): string {
  if (!anyControl.test(line)) return line;
  return withoutControls(lastState(line).replace(controlSequence, ''));
}

// oxlint-disable-next-line no-control-regex -- see above
const styles = /\u001b\[[0-?]*[ -/]*[@-~]/g;
// oxlint-disable-next-line no-control-regex -- see above
const otherControl = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** Several lines at once, as they are shown; null: there is more in them than text and styles. */
export function withoutStyles(text: string): string | null {
  const plain = text.replace(styles, '');
  return otherControl.test(plain) ? null : plain;
}

/** What finds a text as it stands, as the search of the server does. */
export function textPattern(text: string, matchCase: boolean, flags = ''): RegExp {
  // Not `RegExp.escape`, which younger browsers only have.
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(escaped, `${flags}${matchCase ? '' : 'i'}u`);
}
