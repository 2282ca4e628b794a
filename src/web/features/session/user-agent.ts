// Shortens a browser's user agent to the names of the browser and the system.

const browsers: [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const systems: [name: string, mark: RegExp][] = [
  ['Windows', /Windows/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Macintosh|Mac OS X/],
  ['Linux', /Linux|X11/],
];

const nameIn = (list: [string, RegExp][], text: string): string | undefined =>
  list.find(([, mark]) => mark.test(text))?.[0];

/** For example "Firefox, Linux"; an unknown user agent is returned unchanged. */
export function shownUserAgent(text: string): string {
  const known = [nameIn(browsers, text), nameIn(systems, text)].filter(Boolean);
  return known.length > 0 ? known.join(', ') : text;
}
