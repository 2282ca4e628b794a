// `signalbox <command>`: parses the command line, or prints help.

import { parseArgs } from 'node:util';
import { nearest } from '../config/nearest.ts';
import { version } from '../../node/process/version.ts';
import { commands, type Command, type CommandArguments } from './commands.ts';
import { ownProcess, print, printError, UsageError, type Surroundings } from './surroundings.ts';

export async function runCli(argv: string[], at: Surroundings = ownProcess): Promise<number> {
  try {
    return await dispatch(at, argv);
  } catch (error) {
    const { failureWords } = await import('./failure-words.ts');
    const words = failureWords(error);
    if (words === null) throw error;
    printError(at, words);
    return 1;
  }
}

const helpFlags = ['--help', '-h'];
const isFlag = (word: string): boolean => word.startsWith('-');

async function dispatch(at: Surroundings, argv: string[]): Promise<number> {
  const words = argv.slice(0, firstFlag(argv));
  if (words[0] === 'help' || ownWords(argv).some((word) => helpFlags.includes(word))) {
    print(at, help(words[0] === 'help' ? words.slice(1) : words));
    return 0;
  }
  if (argv.length === 1 && argv[0] === '--version') return dispatch(at, ['version']);
  const { command, rest } = findCommand(argv);
  return command.run(at, readRest(command, rest));
}

/** The arguments before `--`. */
const ownWords = (argv: string[]): string[] =>
  argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;

function firstFlag(argv: string[]): number {
  const found = argv.findIndex(isFlag);
  return found === -1 ? argv.length : found;
}

/** The default command is `server`. */
function findCommand(argv: string[]): { command: Command; rest: string[] } {
  const [first = 'server'] = argv;
  const typed = isFlag(first) ? ['server', ...argv] : argv.length === 0 ? [first] : argv;
  for (const size of [2, 1]) {
    const command = commands.find(({ name }) => name === typed.slice(0, size).join(' '));
    if (command) return { command, rest: typed.slice(size) };
  }
  throw unknown(typed.slice(0, firstFlag(typed)));
}

function readRest(
  { options, takesLogin = false, takesProgram = false }: Command,
  rest: string[],
): CommandArguments {
  const args = takesProgram ? ownWords(rest) : rest;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: takesLogin });
  return {
    flags: values as CommandArguments['flags'],
    positionals,
    program: rest.slice(args.length + 1),
  };
}

function unknown(words: string[]): UsageError {
  const isGroup = commands.some(({ name }) => name.startsWith(`${words[0]} `));
  const typed = words.slice(0, isGroup ? 2 : 1).join(' ');
  const meant = nearest(
    typed,
    commands.map(({ name }) => name),
  );
  const hint = meant === null ? '' : ` Did you mean "${meant}"?`;
  return new UsageError(`There is no command "${typed}".${hint}\n\n${help([])}`);
}

/** Help for one command, or for all with this prefix. */
function help(words: string[]): string {
  const typed = words.join(' ');
  const one = commands.find(({ name }) => typed === name || typed.startsWith(`${name} `));
  if (one) return `${usageOf(one)}\n\n${one.about}`;
  const found = commands.filter(({ name }) => name.startsWith(typed));
  if (found.length === 0) throw unknown(words);
  const lines = found.map((command) => `${usageOf(command)}\n    ${command.about}`);
  return [`Signalbox ${version}`, '', ...lines, '', footer].join('\n');
}

const usageOf = ({ name, takes }: Command): string => `signalbox ${name} ${takes}`.trimEnd();

const footer =
  'Settings are environment variables; docs/guide/settings.md lists them. "signalbox help COMMAND" and --help tell of one command.';
