import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';

test('an environment takes JSON objects only, and plain values for the process', async () => {
  const { app, params } = await appWithProject(null);
  const cases: [fields: object, path: string, code: string][] = [
    [{ json: '[1]' }, 'json', 'field.json_object'],
    [{ json: '"text"' }, 'json', 'field.json_object'],
    [{ json: '{"a": }' }, 'json', 'field.json_object'],
    [{ json: 'null' }, 'json', 'field.json_object'],
    [{ env: '[]' }, 'env', 'field.json_object'],
    [{ env: '{"A": {}}' }, 'env', 'field.json_strings'],
    [{ env: '{"A": ["b"]}' }, 'env', 'field.json_strings'],
    [{ env: '{"": "b"}' }, 'env', 'environment.process_name'],
    [{ env: '{"A=B": "b"}' }, 'env', 'environment.process_name'],
    [{ env: String.raw`{"A\u0000": "b"}` }, 'env', 'environment.process_name'],
  ];
  for (const [fields, path, code] of cases) {
    const body = { name: 'New', ...fields };
    const { status, body: refused } = await app.admin.ask(environments.create, { params, body });
    expect([fields, status]).toEqual([fields, 400]);
    expect(refused.fields).toMatchObject([{ path, code }]);
  }
  const { body } = await app.admin.ask(environments.create, {
    params,
    body: { name: 'Empty texts', json: ' ', env: '' },
  });
  expect(body).toMatchObject({ json: '{}', env: '{}' });
});
