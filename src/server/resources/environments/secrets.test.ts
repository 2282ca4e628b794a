// How secrets of environments are stored and changed.

import { describe, expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { readStored } from '../../../../test/helpers/stored.ts';
import { openSecrets } from './environments.ts';

async function start() {
  const app = await testApp();
  const { projectId } = await seedProject(app.admin, null);
  const params = { project_id: projectId };
  const made = await app.admin.call(environments.create, {
    params,
    body: {
      name: 'Production',
      secrets: [
        { type: 'var', name: 'token', secret: 'canary-token', operation: 'create' },
        { type: 'env', name: 'token', secret: 'canary-env', operation: 'create' },
        { name: 'no type', secret: 'canary-third', operation: 'create' },
      ],
    },
  });
  const one = { ...params, environment_id: made.id };
  const change = (secrets: object[], ifMatch?: string) =>
    app.admin.ask(environments.update, {
      params: one,
      body: { name: 'Production', secrets },
      ...(ifMatch && { ifMatch }),
    });
  const open = () => openSecrets(app.ctx, projectId, made.id);
  const idOf = (index: number): number => made.secrets?.[index]?.id ?? 0;
  return { app, projectId, params, one, made, change, open, idOf };
}

const blank = { secret: '', operation: '' };

describe('secrets of environments', () => {
  test('are answered by their names, in lists not at all, and never by their values', async () => {
    const { app, projectId, params, one, made, open } = await start();
    expect(made.secrets).toMatchObject([
      { type: 'var', name: 'token', ...blank },
      { type: 'env', name: 'token', ...blank },
      { type: 'var', name: 'no type', ...blank },
    ]);
    const answers: unknown[] = [made];
    for (const role of ['owner', 'manager', 'task_runner', 'guest'] as const) {
      const caller = await app.member(projectId, role);
      const shown = await caller.call(environments.one, { params: one });
      expect(shown.secrets).toEqual(made.secrets);
      const list = await caller.call(environments.list, { params });
      expect(list.map(({ secrets }) => secrets)).toEqual(list.map(() => null));
      answers.push(shown, list);
    }
    expect(JSON.stringify(answers)).not.toContain('canary');
    expect(await open()).toEqual({
      variables: { token: 'canary-token', 'no type': 'canary-third' },
      process: { token: 'canary-env' },
    });
    const rows = await app.ctx.db.selectFrom('environment_secrets').selectAll().execute();
    expect(rows.every(({ secret }) => secret.startsWith('v3:'))).toBe(true);
    const stored = await readStored(app.ctx.config);
    expect(stored.map(({ name }) => name)).toContain('table environment_secrets');
    expect(stored.filter(({ bytes }) => bytes.includes('canary'))).toEqual([]);
  });

  test('a changed secret is written, and one without a new value keeps its own', async () => {
    const { app, one, change, open, idOf } = await start();
    const [first, second, third] = [idOf(0), idOf(1), idOf(2)];
    const { status } = await change([
      { id: first, type: 'var', name: 'token', secret: 'changed', operation: 'update' },
      // The value stays, the name changes.
      { id: second, type: 'env', name: 'RENAMED', secret: '', operation: 'update' },
      { id: third, operation: 'delete' },
      { type: 'var', name: 'no type', secret: 'again', operation: 'create' },
    ]);
    expect(status).toBe(204);
    expect(await open()).toEqual({
      variables: { token: 'changed', 'no type': 'again' },
      process: { RENAMED: 'canary-env' },
    });
    const { secrets } = await app.admin.call(environments.one, { params: one });
    expect(secrets?.map(({ id, name }) => [id, name]).slice(0, 2)).toEqual([
      [first, 'token'],
      [second, 'RENAMED'],
    ]);
    // Two secrets may swap their names in one change.
    const swapped = [
      { id: first, name: 'no type', operation: 'update' },
      { id: secrets?.[2]?.id, name: 'token', operation: 'update' },
    ];
    expect((await change(swapped)).status).toBe(204);
    expect((await open()).variables).toEqual({ token: 'again', 'no type': 'changed' });
  });

  test('what was read can be sent back as it is, and nothing changes', async () => {
    const { app, one, change, open } = await start();
    const before = await open();
    const read = await app.admin.call(environments.one, { params: one });
    expect((await change(read.secrets ?? [])).status).toBe(204);
    expect((await app.admin.ask(environments.update, { params: one, body: read })).status).toBe(
      204,
    );
    expect(await open()).toEqual(before);
  });

  test('two with one name of one kind are refused, and nothing of the request is kept', async () => {
    const { change, open, idOf } = await start();
    const before = await open();
    const cases: [changes: object[], path: string, code: string][] = [
      [
        [{ type: 'var', name: 'token', secret: 'x', operation: 'create' }],
        'secrets.0.name',
        'environment.secret_repeated',
      ],
      [
        [
          { type: 'var', name: 'new', secret: 'x', operation: 'create' },
          { type: 'var', name: ' new ', secret: 'y', operation: 'create' },
        ],
        'secrets.1.name',
        'environment.secret_repeated',
      ],
      [
        [{ id: idOf(2), name: 'token', operation: 'update' }],
        'secrets.0.name',
        'environment.secret_repeated',
      ],
      [
        [
          { id: idOf(0), operation: 'delete' },
          { id: idOf(0), name: 'twice', operation: 'update' },
        ],
        'secrets.1.id',
        'field.reference',
      ],
    ];
    for (const [changes, path, code] of cases) {
      const { status, body } = await change(changes);
      expect([status, body.fields]).toMatchObject([400, [{ path, code }]]);
    }
    expect(await open()).toEqual(before);
  });

  test('an environment goes with its secrets', async () => {
    const { app, projectId, one, made } = await start();
    await app.admin.call(environments.remove, { params: one });
    expect(await app.ctx.db.selectFrom('environment_secrets').selectAll().execute()).toEqual([]);
    await expect(openSecrets(app.ctx, projectId, made.id)).rejects.toMatchObject({
      code: 'environment.not_found',
    });
  });
});

test('a secret is asked for in the words of its field', async () => {
  const { change, idOf } = await start();
  const cases: [change: object, path: string, code: string][] = [
    [{ type: 'var', name: 'a', operation: 'create' }, 'secret', 'field.required'],
    [{ type: 'var', secret: 'x', operation: 'create' }, 'name', 'name.required'],
    [{ type: 'var', name: ' ', secret: 'x', operation: 'create' }, 'name', 'name.required'],
    [{ type: 'file', name: 'a', secret: 'x', operation: 'create' }, 'type', 'field.option'],
    [{ type: 'var', name: 'a', secret: 'x', operation: 'drop' }, 'operation', 'field.option'],
    [{ type: 'var', name: 'a', secret: 'x' }, 'id', 'field.required'],
    [{ operation: 'update' }, 'id', 'field.required'],
    [{ id: 999_999, operation: 'delete' }, 'id', 'field.reference'],
    [{ id: idOf(2), type: 'env', operation: 'update' }, 'name', 'environment.variable_name'],
    ...['A=B', '1A', 'A B', 'A-B', 'Ä'].map((name): [object, string, string] => [
      { type: 'env', name, secret: 'hunter2', operation: 'create' },
      'name',
      'environment.variable_name',
    ]),
    [
      { type: 'var', name: 'a', secret: 'a\u0000b', operation: 'create' },
      'secret',
      'field.control_characters',
    ],
  ];
  for (const [secret, path, code] of cases) {
    const { status, body } = await change([secret]);
    expect([secret, status]).toEqual([secret, 400]);
    expect(body.fields).toMatchObject([{ path: `secrets.0.${path}`, code }]);
    expect(JSON.stringify(body)).not.toContain('hunter2');
  }
});

test('a save that is based on an old copy changes no secret', async () => {
  const { app, one, change, open, idOf } = await start();
  const { headers } = await app.admin.ask(environments.one, { params: one });
  const tag = String(headers['etag']);
  const update = { id: idOf(0), secret: 'second', operation: 'update' };
  expect((await change([update], tag)).status).toBe(204);
  const stale = await change([{ ...update, secret: 'third' }], tag);
  expect([stale.status, stale.body.code]).toEqual([409, 'request.stale']);
  expect((await open()).variables).toMatchObject({ token: 'second' });
});

test('only secrets of the environment itself can be changed, none of another one or project', async () => {
  const { app, projectId, change, open, idOf } = await start();
  const before = await open();
  const other = await seedProject(app.admin, null);
  const make = (id: number) =>
    app.admin.call(environments.create, {
      params: { project_id: id },
      body: { name: 'Other', secrets: [{ name: 'a', secret: 'theirs', operation: 'create' }] },
    });
  const others = [await make(projectId), await make(other.projectId)];
  for (const id of others.map(({ secrets }) => secrets?.[0]?.id)) {
    for (const operation of ['update', 'delete']) {
      const { status, body } = await change([{ id, name: 'mine', secret: 'mine', operation }]);
      expect([status, body.fields]).toMatchObject([400, [{ path: 'secrets.0.id' }]]);
    }
  }
  for (const { id, project_id: owner } of others) {
    expect(await openSecrets(app.ctx, owner, id)).toMatchObject({ variables: { a: 'theirs' } });
  }
  expect(await open()).toEqual(before);
  // The path of another project does not help either.
  const one = { project_id: other.projectId, environment_id: others[0]?.id ?? 0 };
  const body = { name: 'X', secrets: [{ id: idOf(0), operation: 'delete' as const }] };
  expect((await app.admin.ask(environments.update, { params: one, body })).status).toBe(404);
});

test('a secret cannot be opened as that of another environment', async () => {
  const { app, projectId, params, made } = await start();
  const other = await app.admin.call(environments.create, { params, body: { name: 'Other' } });
  await app.ctx.db
    .updateTable('environment_secrets')
    .set({ environment_id: other.id })
    .where('environment_id', '=', made.id)
    .execute();
  await expect(openSecrets(app.ctx, projectId, other.id)).rejects.toThrow(
    'it was encrypted for another row',
  );
});
