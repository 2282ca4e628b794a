// With which programs the commands of a task run: those of the runner, of a folder, or of an image.

import type { TaskTools } from '#shared/api/task-changes.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { runTool, type Command, type ToolResult } from '../programs/process.ts';

export interface Execution {
  /** PATH of its programs. */
  path: string;
  /** Distinguishes in the keys of caches what its programs install; empty: the programs of the runner. */
  identity: string;
  /** Variables that its programs need besides PATH. */
  variables?: Record<string, string>;
  /** The folder of its environment of Python, whose packages a run records; absent or null: none. */
  environment?: string | null;
  /** Whether its programs see only files of the runner that were shared. */
  isContainer: boolean;
  /** The lines of the log about the limits that hold for its programs; null: those of the supervisor do. */
  limitLines: string[] | null;
  /** Lets its programs see a folder or file of the runner. */
  share: (path: string, access: 'read' | 'write') => void;
  /** The image that its programs come from; null: none. */
  image: (() => Promise<NonNullable<TaskTools['image']>>) | null;
  /** Runs a short program and returns its output. */
  run: (
    command: ProgramOfRun,
    signal?: AbortSignal,
    onError?: (text: string) => void,
  ) => Promise<ToolResult>;
  /** The shell in which the program of a step runs, by the folder of the step; null: the supervisor has one. */
  relayFor: ((step: string) => Relay) | null;
  /** Starts the supervisor of a step, by its folder, elsewhere; absent: this machine starts it. */
  supervisorFor?: (step: string) => Command;
}

/** A shell elsewhere, such as in a container, which executes what it reads. */
export interface Relay {
  /** Starts the shell. */
  command: Command;
  /** What the process of the program executes before it becomes the program; empty, or with a semicolon at the end. */
  first: string;
  /** What the shell executes after the program, with its exit code in `code`, and `missing` if there is no such program. */
  last: string;
}

/** Its standard input is empty. */
export type ProgramOfRun = Omit<Command, 'input'>;

/** The programs of the runner. */
export const serverExecution = ({ path }: Pick<RunnerConfig, 'path'>): Execution => ({
  path,
  identity: '',
  isContainer: false,
  limitLines: null,
  share: () => undefined,
  image: null,
  run: runTool,
  relayFor: null,
});
