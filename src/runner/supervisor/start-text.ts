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
 * The commands of a waiting shell that starts another one elsewhere, and ends with the exit code of the command that has
 * started that. What the runner sends is executed beside it, and prints what the shell elsewhere executes: their pipe
 * has no name, so nobody else can write into it.
 */
export const relayText = (command: Command): string =>
  // Caught, not ignored, because programs inherit ignored signals.
  `trap : HUP INT TERM; /bin/sh | ${words(command)}`;

/** Passes the program to the shell elsewhere. */
export const relayedStartText = (
  folder: string,
  command: Command,
  relay: Omit<Relay, 'command'>,
): string => inBraces(claim(folder), `printf %s ${quoted(otherText(command, relay))}`);

/**
 * The first process of a container ignores signals that it does not catch, and so does a program in its place.
 * So the shell stays, and the program is its child.
 */
const otherText = (command: Command, { first, last }: Omit<Relay, 'command'>): string =>
  inBraces(
    ...surroundings(command),
    'umask 022',
    `{ ${first}exec ${words(command)}; } </dev/null 2>&1 &`,
    'wait "$!"; code=$?',
    // A shell ends so when there is no such program, and programs end so for reasons of their own.
    `missing=; [ "$code" != 127 ] || command -v ${quoted(command.command)} >/dev/null 2>&1 || missing=1`,
    last,
    'exit "$code"',
  );

const claim = (folder: string): string =>
  `set -C; { true >${quoted(join(folder, 'claimed'))}; } 2>/dev/null || exit 0; set +C`;
