// Reads systemd's EnvironmentFile=, so that commands use the settings of the service.

import { readFileSync } from 'node:fs';
import { ConfigError } from '../../node/config-error.ts';

/** Paths, separated by colons. */
export const filesVariable = 'SIGNALBOX_ENVIRONMENT_FILES';

/** Later files override earlier ones, and the environment overrides all. Missing files are ignored. */
export function withEnvironmentFiles(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const paths = (environment[filesVariable] ?? '').split(':').filter(Boolean);
  const files = paths.map((path) => parseEnvironment(read(path)));
  return Object.assign({}, ...files, environment) as NodeJS.ProcessEnv;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    const advice = code === 'EACCES' ? 'Run this command as root.' : `The system says ${code}.`;
    throw new ConfigError(`The settings of the service (${path}) cannot be read. ${advice}`, {
      cause,
    });
  }
}

const nameOfLine = /^[ \t]*([A-Za-z_]\w*)[ \t]*=/gm;
const quotedPart = /[ \t]*(?:'([^']*)'|"((?:[^"\\]|\\[^])*)")/y;
// A backslash at the end of a line joins it with the next one.
const plainRest = /(?:[^\n\\]|\\[^])*/y;

/** Parses the format that systemd documents for EnvironmentFile=. */
export function parseEnvironment(text: string): Record<string, string> {
  const lines = text.replaceAll('\r\n', '\n');
  const found: Record<string, string> = {};
  let at = 0;
  for (let name = next(lines, at); name !== null; name = next(lines, at)) {
    const { value, end } = valueAt(lines, name.index + name[0].length);
    found[name[1] ?? ''] = value;
    at = end;
  }
  return found;
}

/** A value: quoted parts, then text in which quotes are literal. */
function valueAt(text: string, start: number): { value: string; end: number } {
  let [value, end] = ['', start];
  for (let part = matchAt(quotedPart, text, end); part; part = matchAt(quotedPart, text, end)) {
    const [whole, single, double = ''] = part;
    value += single ?? double.replaceAll(/\\\n|\\(["\\`$])/g, '$1');
    end += whole.length;
  }
  const [rest = ''] = matchAt(plainRest, text, end) ?? [];
  value += rest.trim().replaceAll(/\\\n|\\([^])/g, '$1');
  return { value, end: end + rest.length };
}

const next = (text: string, at: number): RegExpExecArray | null => matchAt(nameOfLine, text, at);

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
