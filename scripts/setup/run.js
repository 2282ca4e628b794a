// Runs one program of the set-up, and shows regularly that it is still running.

import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const heartbeatMs = 10_000;
// The cause of a failure stands at the beginning or at the end of what was printed.
const keptFirst = 10;
const keptLast = 15;

/** An error whose text says what to do; the set-up prints it and ends. */
export class Stop extends Error {}

/** @type {Set<() => void>} */
const endings = new Set();

/** Ends the programs that are running, if any. */
export function endChildren() {
  for (const end of endings) end();
}

/**
 * The Node that runs TypeScript: the packaged one if there is one.
 * @param {string} root
 */
export function nodeOf(root) {
  const packaged = join(root, 'node_modules', '.bin', 'node');
  return existsSync(packaged) ? packaged : process.execPath;
}

/** @param {string} text */
export function say(text) {
  console.log(`signalbox: ${text}`);
}

/**
 * The full path of a program, or null.
 * @param {string} name
 * @param {string} [path]
 */
export function findProgram(name, path = process.env['PATH'] ?? '') {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue;
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The program is not in this folder.
    }
  }
  return null;
}

/**
 * Whether a program ends with exit code 0; its output is not shown.
 * @param {string} command
 * @param {string[]} args
 */
export function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

/**
 * Runs a program to its end, and prints a line every ten seconds meanwhile. The output is shown
 * only if the program fails.
 * @param {string} title
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, timeLimitMs?: number, endSignal?: NodeJS.Signals, onStart?: (pid: number) => void }} [options]
 * @returns {Promise<{ succeeded: boolean, output: string }>}
 */
export async function run(title, command, args, options = {}) {
  say(`${title} ...`);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  /** @type {string[]} */
  let lines = [];
  const heartbeat = setInterval(() => {
    const last = (lines.at(-1) ?? '').trim().slice(0, 70);
    say(`  ... ${seconds()} s${last ? `: ${last}` : ''}`);
  }, heartbeatMs);

  let end = () => undefined;
  const ended = await new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.timeLimitMs ? { timeout: options.timeLimitMs } : {}),
    });
    end = () => void child.kill(options.endSignal ?? 'SIGTERM');
    endings.add(end);
    if (child.pid !== undefined) options.onStart?.(child.pid);
    const collect = (/** @type {Buffer} */ chunk) => {
      const fresh = stripVTControlCharacters(chunk.toString()).split(/[\r\n]+/);
      lines.push(...fresh.filter((line) => line.trim() !== ''));
      if (lines.length > 2 * (keptFirst + keptLast)) lines = ends(lines);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => {
      lines.push(error.message);
      resolve(null);
    });
    child.once('close', resolve);
  });

  clearInterval(heartbeat);
  endings.delete(end);
  if (ended === 0) say(`  done in ${seconds()} s: ${title}`);
  return {
    succeeded: ended === 0,
    output: ends(lines)
      .map((line) => `    ${line}`)
      .join('\n'),
  };
}

/** @param {string[]} lines */
function ends(lines) {
  if (lines.length <= keptFirst + keptLast) return lines;
  return [...lines.slice(0, keptFirst), '...', ...lines.slice(-keptLast)];
}
