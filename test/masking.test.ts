// Only on SQLite: secrets are masked in the runner, before a line is stored.
// Secrets that a program prints in every form and place are nowhere in what is stored or sent.

import { generateKeyPairSync } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { tasks } from '#shared/api/tasks.ts';
import { readSize } from '../src/runner/log/spool.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { connect } from './helpers/live.ts';
import { searchOf, whereOf } from './helpers/logs.ts';
import { seedProject } from './helpers/seed.ts';
import { launch, untilStatus } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';

const password = 'vault p@ss/"47"+w0rd';
const answer = 'Ärger & Söhne = 100 %';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const keyLines = privateKey.split('\n').filter((line) => line && !line.startsWith('-----'));

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The forms of one secret that must not be found. */
const formsOf = (secret: string): string[] => [
  secret,
  base64(secret),
  Buffer.from(secret).toString('base64url'),
  encodeURIComponent(secret),
  new URLSearchParams({ secret }).toString().slice('secret='.length),
  JSON.stringify(secret).slice(1, -1),
];
const forbidden = [...[password, answer].flatMap(formsOf), ...keyLines, base64(privateKey)];

/** Each entry is one line; `=>` stands before what has to be masked. */
function printed(): string[] {
  const each = [password, answer].flatMap((secret) => [
    ...formsOf(secret).map((form) => `=>${form}<=`),
    `=>${base64(`login:${secret}`)}`,
    `=>${JSON.stringify({ a: [secret] })}`,
    `=>\u001b[31m${secret}\u001b[0m`,
  ]);
  return [...each, ...keyLines.map((line) => `=>${line}`), `=>${base64(privateKey)}`];
}

/** A line that ends after a byte at which the log is read in two pieces. */
function overBoundary(before: number): string {
  return `${'.'.repeat(2 * readSize - (before % readSize) - 7)}=>${password}`;
}

function files(): Record<string, string> {
  const lines = `${printed().join('\n')}\n`;
  const boundary = overBoundary(Buffer.byteLength(lines));
  const huge = `${'x'.repeat(5_000_000)}=>${answer}${'y'.repeat(5_000_000)}`;
  return {
    'lines.txt': `${lines}${boundary}\n${privateKey}${huge}\n`,
    first: `=>${password.slice(0, 8)}`,
    second: `${password.slice(8)}\n`,
    'play.yml': 'cat lines.txt; cat first; sleep 0.4; cat second; echo the end\n',
  };
}

async function launchIt(app: TestApp) {
  const seed = await seedProject(app.admin, files());
  const params = { project_id: seed.projectId };
  const vault = await app.admin.call(keys.create, {
    params,
    body: { name: 'Vault', type: 'login_password', login_password: { login: '', password } },
  });
  const second = await app.admin.call(keys.create, {
    params,
    body: { name: 'Hosts', type: 'ssh', ssh: { login: 'root', private_key: privateKey } },
  });
  await app.ctx.db
    .updateTable('inventories')
    .set({ ssh_key_id: second.id })
    .where('id', '=', seed.inventoryId)
    .execute();
  const template = await seed.template({
    vaults: [{ vault_key_id: vault.id, name: null }],
    survey_vars: [{ name: 'company', title: 'Company', type: 'secret' }],
  });
  const secret = JSON.stringify({ company: answer });
  return launch(app.admin, seed.projectId, { template_id: template.id, secret });
}

/** The forms of the secrets that a text contains. */
const found = (text: string): string[] => forbidden.filter((form) => text.includes(form));

test('no secret that is printed is stored or sent, whatever its form and place', async () => {
  const app = await testApp({ runner: true });
  const address = await app.listen();
  const [plain, live] = [
    await connect(address, { cookie: app.admin.cookie }),
    await connect(address, { cookie: app.admin.cookie }),
  ];
  const launched = await launchIt(app);
  const where = { project_id: launched.project_id, task_id: launched.id };
  live.send({ type: 'subscribe', topic: 'task_log', ...where, after: 0 });
  const task = await untilStatus(app.admin, launched, 'success');
  await live.untilMessage('log_end');
  await until(() =>
    plain.messages.some((each) => each.type === 'log' && each.output === 'the end'),
  );

  const output = (await app.admin.call(tasks.output, whereOf(task))).map((line) => line.output);
  const secretLines = output.filter((line) => line.includes('=>'));
  // The lines of the file, one across the boundary, one in the huge line, and one in two writes.
  expect(secretLines.length).toBe(printed().length + 3);
  expect(secretLines.filter((line) => !line.includes('********'))).toEqual([]);
  expect(output.filter((line) => line === '********').length).toBe(keyLines.length);
  expect(output).toContain('-----BEGIN RSA PRIVATE KEY-----');

  const chunks = await app.ctx.db.selectFrom('task_log_chunks').select('data').execute();
  const stored = chunks.map(({ data }) => zstdDecompressSync(data).toString('utf8'));
  expect(stored.length).toBeGreaterThan(3);
  const lines = { ...whereOf(task), query: { limit: 5000 } };
  const sent = {
    stored: stored.join('\n'),
    output: output.join('\n'),
    lines: JSON.stringify(await app.admin.call(tasks.lines, lines)),
    text: (await app.admin.ask(tasks.text, { ...whereOf(task), query: { color: 'on' } })).body,
    live: JSON.stringify(live.messages),
    plain: JSON.stringify(plain.messages),
    search: JSON.stringify(await searchOf(app, task)({ q: '=>', limit: 1000 })),
  };
  for (const [name, text] of Object.entries(sent)) expect([name, found(text)]).toEqual([name, []]);
  // Proves that the search finds secrets: the printed text contains all forms.
  expect(found(printed().join('\n'))).toEqual(forbidden);
});
