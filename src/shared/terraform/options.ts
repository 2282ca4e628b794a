// Parses the CLI args of a template of Terraform or OpenTofu, in the formats of both programs: `-name`, `-name=value`,
// `-name value`, each with one or two dashes.

import { kindOf } from '../apps.ts';

interface Option {
  name: string;
  /** The words of the option. */
  words: string[];
}

// The value of all other options is in the same word, or they have none.
const withValue = new Set([
  'var',
  'var-file',
  'target',
  'exclude',
  'replace',
  'out',
  'state',
  'state-out',
  'backup',
  'parallelism',
  'lock-timeout',
  'generate-config-out',
  'backend-config',
  'plugin-dir',
  'from-module',
  'lockfile',
  'target-file',
  'exclude-file',
  'invoke',
  'json-into',
  'deprecation',
]);

/** The name of an option with one or two dashes. */
const nameOf = (word: string): string => word.replace(/^--?/, '').split('=')[0] ?? '';

export function terraformOptions(args: string[]): Option[] {
  const options: Option[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    // Both programs stop parsing options here.
    if (word === '--' || !word.startsWith('-') || word === '-') break;
    const name = nameOf(word);
    const next = args[at + 1];
    const takesNext = !word.includes('=') && withValue.has(name) && next !== undefined;
    options.push({ name, words: takesNext ? [word, next] : [word] });
    if (takesNext) at += 1;
  }
  return options;
}

// Set by each run itself, or they would change the place of its plan or state.
const own = [
  'detailed-exitcode',
  'out',
  'input',
  'chdir',
  'auto-approve',
  'state',
  'state-out',
  'backup',
];

// With any of these words, even as a value, both programs only print their help or version.
const printing = new Set(['-h', '-help', '--help', '-v', '-version', '--version']);

const ofInit = [
  'backend',
  'backend-config',
  'reconfigure',
  'migrate-state',
  'force-copy',
  'upgrade',
  'get',
  'plugin-dir',
  'from-module',
  'lockfile',
];

export interface RefusedOption {
  option: string;
  /** `own`: set by each run. `init`: of another command than plan. */
  because: 'own' | 'init';
}

/** The first CLI arg that cannot be passed to plan; null: none. */
export function refusedOption(app: string, args: string[]): RefusedOption | null {
  if (kindOf(app) !== 'terraform') return null;
  const word = args.find((arg) => printing.has(arg));
  if (word !== undefined) return { option: word, because: 'own' };
  for (const { name } of terraformOptions(args)) {
    if (own.includes(name)) return { option: `-${name}`, because: 'own' };
    if (ofInit.includes(name)) return { option: `-${name}`, because: 'init' };
  }
  return null;
}

// In a variable for apply they would override the place of the state.
const ofState = ['state', 'state-out', 'backup'];

/** The first option in variables such as TF_CLI_ARGS_plan that would break a run; null: none. */
export function refusedInVariables(
  env: Record<string, string>,
): { variable: string; option: string } | null {
  for (const [variable, text] of Object.entries(env)) {
    if (!/^TF_CLI_ARGS(?:_|$)/.test(variable)) continue;
    const words = text.split(/\s+/).map((word) => word.replace(/["']/g, ''));
    const found = words.find(
      (word) => printing.has(word) || (word.startsWith('-') && ofState.includes(nameOf(word))),
    );
    if (found !== undefined) return { variable, option: found };
  }
  return null;
}
