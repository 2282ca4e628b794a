// `npm run test:fuzz [-- --examples 20 --seed 1]`: schemathesis calls every operation of the OpenAPI
// document on a server of its own, with valid and invalid requests and with the ids of earlier responses.
// No response may be a server error, be undocumented or take longer than a second, and no valid request
// may be refused without a reason that scripts/fuzz names.

import { parseArgs } from 'node:util';
import { newSeed } from '../test/helpers/random.ts';
import { publicKey } from '../test/helpers/runner-caller.ts';
import { type ApiCall, signedIn } from '../test/helpers/api-client.ts';
import { startServer } from '../test/helpers/server.ts';
import { fuzz, installSchemathesis } from './fuzz/schemathesis.ts';

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(newSeed()) },
  },
});

/** Registers a remote runner; returns its credential. */
async function enterRunner(call: ApiCall): Promise<string> {
  const { token } = await call<{ token: string }>('POST', '/api/runners', { name: 'Fuzzed' });
  const body = { version: '1', max_parallel_tasks: 1, token, public_key: publicKey };
  const entered = await call<{ credential: string }>('POST', '/api/runner/register', body);
  return entered.credential;
}

/** The tags of all operations in the OpenAPI document. */
async function tagsOf(call: ApiCall): Promise<string[]> {
  type Path = Record<string, { tags?: string[] }>;
  const { paths } = await call<{ paths: Record<string, Path> }>('GET', '/api/openapi.json');
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return [...new Set(operations.flatMap(({ tags = [] }) => tags))];
}

const program = await installSchemathesis();
const server = await startServer();
try {
  const { call, cookies } = await signedIn(server);
  await call('POST', '/api/projects', { name: 'Demo', demo: true });
  const shared = {
    address: server.address,
    examples: Number(values.examples),
    seed: Number(values.seed),
  };
  const session = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const asPerson = { ...shared, header: `Cookie: ${session}` };
  const single = 'coverage,fuzzing';
  const args = ['--exclude-tag=runnerApi'];
  const results = [await fuzz(program, { ...asPerson, args, phases: single })];
  // These requests use the ids of earlier responses. For all operations together schemathesis finds no
  // sequence: they have too many ids in common.
  for (const tag of (await tagsOf(call)).filter((one) => one !== 'runnerApi')) {
    const some = [...new Set(['projects', tag])].map((one) => `--include-tag=${one}`);
    results.push(await fuzz(program, { ...asPerson, args: some, phases: 'stateful' }));
  }
  // The lists of what runners keep wait a second for runners that do not poll.
  const header = `Authorization: Bearer ${await enterRunner(call)}`;
  const asRunner = { ...shared, header, args: ['--include-tag=runnerApi'] };
  results.push(await fuzz(program, { ...asRunner, phases: single }));
  if (results.includes(false)) process.exitCode = 1;
} finally {
  await server.stop();
}
