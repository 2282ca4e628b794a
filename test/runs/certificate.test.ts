// Only on SQLite: it is about the line between a runner and its server.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { runInside } from '../helpers/command.ts';
import { remoteRunner } from '../helpers/remote-runner.ts';
import { folder } from '../helpers/seed.ts';
import { unreachableReason } from '../../src/runner/client/unreachable-reason.ts';

/** A server behind https, with a certificate that nobody has vouched for. */
async function behindTls(app: TestApp): Promise<{ address: string; certificate: string }> {
  const place = await folder();
  const [key, certificate] = [join(place, 'key'), join(place, 'certificate')];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', certificate];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, ...files], { stdio: 'ignore' });
  await app.app.http.ready();
  const pem = { key: readFileSync(key), cert: readFileSync(certificate) };
  const server = createServer(pem, (request, response) => app.app.http.routing(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  server.unref();
  return { address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, certificate };
}

async function startCommand(settings: Record<string, string>): Promise<string> {
  const env = { SIGNALBOX_DATA_DIR: await folder(), SIGNALBOX_RUNNER_TOKEN: 'sbr_x', ...settings };
  const { code, out, error } = await runInside(['server'], env);
  expect([code, out]).toEqual([1, '']);
  return error;
}

test('a certificate of an unknown authority is named at once, with the setting that helps', async () => {
  const { address } = await behindTls(await testApp());
  const error = await startCommand({ SIGNALBOX_SERVER_URL: address });
  expect(error).toBe(
    `${address} does not let this runner in: Cannot reach the server. Its certificate comes from an authority that this machine does not know (DEPTH_ZERO_SELF_SIGNED_CERT). Name the file of that authority: SIGNALBOX_SERVER_CA_FILE.\n`,
  );
});

test('with the file of the authority the runner enters and works', async () => {
  const before = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(before));
  const app = await testApp({ runner: true, config: { role: 'web' } });
  const { address, certificate } = await behindTls(app);
  const runner = await remoteRunner(app.admin, address, { config: { serverCaFile: certificate } });
  const list = await app.admin.call(runners.list, {});
  expect(list.find(({ id }) => id === runner.id)).toMatchObject({ name: 'Far away' });
  await runner.close();
});

test('a file that is no certificate is refused', async () => {
  const file = join(await folder(), 'file');
  await writeFile(file, 'no certificate');
  const url = { SIGNALBOX_SERVER_URL: 'https://127.0.0.1:2' };
  expect(await startCommand({ ...url, SIGNALBOX_SERVER_CA_FILE: file })).toBe(
    `SIGNALBOX_SERVER_CA_FILE (${file}) cannot be used: it holds no certificate in the form PEM.\n`,
  );
  expect(await startCommand({ ...url, SIGNALBOX_SERVER_CA_FILE: '/nowhere/ca.pem' })).toMatch(
    /cannot be used: ENOENT/,
  );
  expect(await startCommand(url)).toContain('Nothing listens at its address.');
});

test.each([
  [
    'CERT_HAS_EXPIRED',
    'certificate has expired',
    'Its certificate is not valid: certificate has expired (CERT_HAS_EXPIRED).',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'wrong name',
    'Its certificate is not valid: wrong name (ERR_TLS_CERT_ALTNAME_INVALID).',
  ],
  ['ENOTFOUND', 'getaddrinfo', 'Its name is not known.'],
  ['ESOMETHING', 'odd', 'It does not answer (ESOMETHING).'],
])('%s is told in words', (code, message, words) => {
  const cause = Object.assign(new Error(message), { code });
  expect(unreachableReason(new TypeError('fetch failed', { cause }))).toBe(words);
  expect(
    unreachableReason(new TypeError('fetch failed', { cause: new AggregateError([cause]) })),
  ).toBe(words);
});
