// Schemathesis in a virtual environment of its own, which is made once for each version.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd, runShown } from '../processes.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/fuzz');
const version = '4.32.5';

/** The operations that the runs leave out, each with its reason. */
const leftOut = {
  'session.signOut': 'it ends the session of the run',
  'session.revoke': 'it ends the session of the run',
  'runnerApi.poll': 'it waits as long as the request says',
};

/** Installs schemathesis if it is not there; returns its path. Needs Python 3.10 and PyPI. */
export async function installSchemathesis(): Promise<string> {
  const folder = join(cache, version);
  const program = join(folder, 'bin/schemathesis');
  if (existsSync(program)) return program;
  console.log(`installing schemathesis ${version} ...`);
  await succeed('python3', ['-m', 'venv', '--clear', folder]);
  await succeed(join(folder, 'bin/pip'), ['install', '--quiet', `schemathesis==${version}`]);
  return program;
}

async function succeed(command: string, args: string[]): Promise<void> {
  const { code, output } = await runToEnd(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}\n${output}`);
}

interface Fuzzing {
  address: string;
  /** The header with the credentials. */
  header: string;
  /** Further arguments, such as which operations are called. */
  args: string[];
  /** The most requests for each operation and phase. */
  examples: number;
  /** The phases of schemathesis, with commas. */
  phases: string;
  seed: number;
}

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'valid_requests_are_accepted',
  'answers_come_in_time',
];

/** Runs schemathesis against the server, and shows what it prints; returns whether it found nothing. */
export async function fuzz(program: string, given: Fuzzing): Promise<boolean> {
  const env = { SCHEMATHESIS_HOOKS: 'checks', PYTHONPATH: import.meta.dirname };
  // It writes its own files into the folder in which it is started.
  const code = await runShown(program, argumentsOf(given), { cwd: cache, env });
  return code === 0;
}

function argumentsOf({ address, header, args, examples, phases, seed }: Fuzzing): string[] {
  const options = {
    header,
    phases,
    mode: 'all',
    checks: checks.join(','),
    'max-examples': examples,
    seed,
    // The credentials are those of the header.
    'generation-with-security-parameters': false,
    // Nothing is kept from one run to the next.
    'generation-database': 'none',
    'suppress-health-check': 'all',
    warnings: 'off',
  };
  return [
    'run',
    `${address}/api/openapi.json`,
    '--continue-on-failure',
    ...args,
    ...Object.keys(leftOut).map((name) => `--exclude-operation-id=${name}`),
    ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
  ];
}
