// The scripts for the waiting shell of a supervisor: it becomes the program, or passes it to a shell elsewhere, such as
// one in a container.

import { join } from 'node:path';
import type { Relay } from '../execution/execution.ts';
import type { Command } from '../programs/process.ts';
import { inBraces, quoted, surroundings, words } from '../programs/shell.ts';

/**
 * The shell first claims the start of the program, and exits if it was claimed before. A shell executes nothing of
 * braces without an end, so a runner that is killed may send an incomplete text.
 */
export const startText = (folder: string, command: Command): string =>
  inBraces(claim(folder), ...surroundings(command), `exec ${words(command)} </dev/null`);

/**
 * Starts a shell elsewhere, which will execute what it reads. Its standard input is a pipe that the waiting shell keeps
 * open, and that nobody else can open.
 */
export function relayText(folder: string, { command }: Pick<Relay, 'command'>): string {
  const pipe = quoted(join(folder, 'input'));
  return inBraces(
    // Caught, not ignored, because programs inherit ignored signals.
    'trap : HUP INT TERM PIPE',
    `mkfifo -m 600 ${pipe} || exit 125`,
    `(${[...surroundings(command), `exec ${words(command)}`].join('\n')}) <${pipe} &`,
    'relay=$!',
    `exec 4>${pipe}`,
    `rm ${pipe}`,
  );
}

/** Passes the program to the shell elsewhere, and ends with the exit code of the command that has started that. */
export const relayedStartText = (
  folder: string,
  command: Command,
  { last }: Pick<Relay, 'last'>,
): string =>
  inBraces(
    claim(folder),
    `printf %s ${quoted(otherText(command, last))} >&4`,
    'exec 4>&-',
    // A signal ends `wait` early.
    'while :; do wait "$relay"; code=$?; kill -0 "$relay" 2>/dev/null || exit "$code"; done',
  );

/**
 * The first process of a container ignores signals that it does not catch, and so does a program in its place.
 * So the shell stays, and the program is its child.
 */
const otherText = (command: Command, last: string): string =>
  inBraces(
    ...surroundings(command),
    'umask 022',
    `${words(command)} </dev/null 2>&1 &`,
    'wait "$!"; code=$?',
    last,
    'exit "$code"',
  );

const claim = (folder: string): string =>
  `set -C; { true >${quoted(join(folder, 'claimed'))}; } 2>/dev/null || exit 0; set +C`;
