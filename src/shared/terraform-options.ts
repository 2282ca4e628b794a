// The options among the CLI args of a template of Terraform or OpenTofu, in the forms that both programs
// take: `-name`, `-name=value`, `-name value`, each with one or two dashes.

interface Option {
  name: string;
  /** The words of the list that belong to it. */
  words: string[];
}

// All other options have their value in the same word, or none.
const withValue = new Set([
  ...['var', 'var-file', 'target', 'exclude', 'replace', 'out', 'state', 'state-out', 'backup'],
  ...['parallelism', 'lock-timeout', 'generate-config-out', 'backend-config', 'plugin-dir'],
  ...[
    'from-module',
    'lockfile',
    'target-file',
    'exclude-file',
    'invoke',
    'json-into',
    'deprecation',
  ],
]);

export function terraformOptions(args: string[]): Option[] {
  const options: Option[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    // Both programs end their list of options here.
    if (word === '--' || !word.startsWith('-') || word === '-') break;
    const name = word.replace(/^--?/, '').split('=')[0] ?? '';
    const next = args[at + 1];
    const takesNext = !word.includes('=') && withValue.has(name) && next !== undefined;
    options.push({ name, words: takesNext ? [word, next] : [word] });
    if (takesNext) at += 1;
  }
  return options;
}
