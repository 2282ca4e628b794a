// Tests of the release gate that belong to no noun; README.md says where the others are.

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import { projects } from '#shared/api/projects.ts';
import { createServer } from '../../src/server/http/server.ts';
import { openApi } from '../helpers/openapi.ts';
import { createApp } from '../../src/server/app.ts';
import { openContext } from '../../src/server/open-context.ts';
import { testApp } from '../helpers/app.ts';
import { connect } from '../helpers/live.ts';
import { folder } from '../helpers/seed.ts';

const run = promisify(execFile);

const isSafe = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

test('gate 1: a route without a declared permission does not start', async () => {
  const { ctx } = await testApp();
  const http = await createServer(ctx.config, ctx.log, null);
  // A download needs a permission too, at any address.
  for (const path of ['/api/forgotten', '/api/project/:project_id/archive.zip', '/downloads/log']) {
    expect(() => http.get(path, () => 'everything')).toThrow('declares no permission');
  }
  const config = { permission: 'user' } as const;
  expect(() => http.get('/downloads/known', { config }, () => 'something')).not.toThrow();
  expect(endpoints.filter(({ endpoint }) => !endpoint.permission)).toEqual([]);
});

test('gate 5: every request that changes something is refused from another site', async () => {
  const app = await testApp();
  const unsafe = endpoints.filter(
    ({ name, endpoint }) => !isSafe(endpoint.method) && !name.startsWith('webhooks.'),
  );
  expect(unsafe.length).toBeGreaterThan(60);
  const taken: string[] = [];
  for (const { name, endpoint } of unsafe) {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const { statusCode } = await app.app.http.inject({
        method: endpoint.method,
        url: endpoint.path.replace(/:\w+/g, '1'),
        headers: { ...headers, cookie: app.admin.cookie },
        payload: {},
      });
      if (statusCode !== 403) taken.push(`${name} answers ${statusCode}`);
    }
  }
  expect(taken).toEqual([]);
});

test('gate 5: a websocket is refused from another site, whoever is signed in', async () => {
  const app = await testApp();
  const address = await app.listen();
  const { cookie } = app.admin;
  for (const origin of ['https://evil.example', 'null', `${address}.evil.example`, 'file://']) {
    await expect(connect(address, { cookie, origin })).rejects.toThrow('403');
  }
  await connect(address, { cookie, origin: address });
});

/** A server with a built console: a page and an asset. */
async function withConsole(publicUrl: string | null) {
  const first = await testApp({ config: { publicUrl } });
  const webDir = await folder();
  await mkdir(join(webDir, 'assets'));
  const page = '<!doctype html><script type="module" src="/assets/main.js"></script>';
  for (const name of ['index.html', 'api-docs.html']) await writeFile(join(webDir, name), page);
  await writeFile(join(webDir, 'assets/main.js'), 'export {};');
  const ctx = await openContext(first.parts);
  const app = await createApp(ctx, { ...first.parts, webDir });
  const { id } = await first.admin.call(projects.create, { body: { name: 'One' } });
  const { cookie } = first.admin;
  const answer = (url: string) => app.http.inject({ url, headers: { cookie } });
  const answers = new Map<string, Awaited<ReturnType<typeof answer>>>();
  for (const [kind, url] of Object.entries({
    page: '/',
    screen: '/project/1/history',
    'page of the API': '/api/docs',
    asset: '/assets/main.js',
    API: '/api/projects',
    error: '/api/nothing',
    'refused address': '/%',
    download: `/api/project/${id}/backup`,
    export: '/api/events/export?format=csv',
  })) {
    answers.set(kind, await answer(url));
  }
  await app.close();
  await ctx.close();
  return answers;
}

test('gate 5: every kind of answer has the headers that hold browsers back', async () => {
  for (const [kind, { headers }] of await withConsole('https://signalbox.example')) {
    const policy = String(headers['content-security-policy']);
    expect([kind, policy]).toEqual([kind, expect.stringContaining("frame-ancestors 'none'")]);
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "'none'";
    expect([kind, /unsafe|\*|nonce|data:|https?:/.test(scripts)]).toEqual([kind, false]);
    expect([kind, policy.includes('unsafe-eval')]).toEqual([kind, false]);
    expect({ kind, ...headers }).toMatchObject({
      kind,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
    });
  }
});

test('gate 5: without https nobody is told to ask for it', async () => {
  for (const { headers } of (await withConsole(null)).values()) {
    expect(headers['strict-transport-security']).toBeUndefined();
  }
});

type Json = Record<string, unknown>;

/** The names of all fields of a schema at any depth, each with its place. */
function fieldsOf(schema: unknown, place: string, found: string[]): string[] {
  if (typeof schema !== 'object' || schema === null) return found;
  const { properties, ...others } = schema as Json;
  for (const [name, field] of Object.entries((properties ?? {}) as Json)) {
    found.push(`${place}.${name}`);
    fieldsOf(field, `${place}.${name}`, found);
  }
  for (const part of Object.values(others)) fieldsOf(part, place, found);
  return found;
}

const sounds =
  /password|passphrase|private_key|secret|token|credential|api_key|recovery|totp|otp_/i;

/**
 * Fields of replies whose name sounds like a secret, but which contain none, or contain it once,
 * with the reason.
 */
const harmless: [fields: RegExp, reason: string][] = [
  [/\.(has|is|override|empty)_secrets?$/, 'whether there is one'],
  [/\.login_password(\.(login|password))?$/, 'always empty: keys.ts answers no secret'],
  [/\.ssh\.(passphrase|private_key)$/, 'always empty: keys.ts answers no secret'],
  [/\.secrets?(\.(id|type|name|secret))?$/, 'names; the value is always the empty text'],
  [/\.pull_secrets$/, 'the names of Secrets of Kubernetes'],
  [/\.password$/, 'of an environment, always null'],
  [/\.secret_answers$/, 'which questions were answered; never the answers'],
  [/\.auth_secret(_id)?$/, 'which key it is'],
  [/\.login_with_password$/, 'whether a password is asked for'],
  [/^get \/api\/user\/second_factor\.recovery_codes$/, 'how many are left'],
  [/^get \/api\/(info|auth\/login)\.auth_methods\./, 'which second factors there can be'],
  [/\.(max|min)_\w+$/, 'a number'],
];

test('gate 2: a field of a reply that sounds like a secret is known, with the reason why it is none', () => {
  const paths = openApi['paths'] as Record<string, Record<string, Json>>;
  const found = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      fieldsOf(responses, `${method} ${path}`, []),
    ),
  );
  const unknown = found.filter(
    (field) =>
      sounds.test(field.split('.').at(-1) ?? '') && !harmless.some(([known]) => known.test(field)),
  );
  expect(found.length).toBeGreaterThan(500);
  expect(new Set(unknown)).toEqual(new Set(shownOnce));
});

// Shown once to the person who makes them, or given to a runner.
const shownOnce = [
  'post /api/user/tokens.token',
  'post /api/user/second_factor/confirm.recovery_codes',
  'post /api/user/second_factor/recovery_codes.recovery_codes',
  'post /api/runners.token',
  'post /api/runners/{runner_id}/token.token',
  'post /api/runners/{runner_id}/registration-token.registration_token',
  'post /api/project/{project_id}/runners.token',
  'post /api/project/{project_id}/runners/{runner_id}/token.token',
  'post /api/project/{project_id}/runners/{runner_id}/registration-token.registration_token',
  'post /api/runner/register.credential',
  'post /api/runner/tasks/{task_id}/delegate.credential',
];

test('gate 12: the parts of the product can be listed without a network', async () => {
  const { stdout } = await run('npm', ['run', '--silent', 'sbom', '--', '--offline'], {
    maxBuffer: 2 ** 26,
  });
  const sbom = JSON.parse(stdout) as { bomFormat: string; components: { name: string }[] };
  expect(sbom.bomFormat).toBe('CycloneDX');
  // The packages of the server, and those from which the console is built.
  const names = sbom.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'kysely', 'pg', 'ws', 'zod', 'react']));
});
