// Only on SQLite: no request gets as far as the database.
// Every address of the OpenAPI document refuses the methods that it does not have, and names those that it has.

import { expect, test } from 'vitest';
import type { ErrorBody } from '#shared/errors.ts';
import { testApp } from './helpers/app.ts';
import { openApi } from './helpers/openapi.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The methods of each address: HEAD comes with GET, but of no webhook. */
const addresses = Object.entries(openApi['paths'] as Record<string, object>).map(
  ([path, operations]) => {
    const own = Object.keys(operations).map((method) => method.toUpperCase());
    const isWebhook = own.includes('OPTIONS');
    return { path, allowed: own.includes('GET') && !isWebhook ? [...own, 'HEAD'] : own };
  },
);

test('every address refuses the methods that it does not have, and names its own', async () => {
  const app = await testApp();
  for (const { path, allowed } of addresses) {
    // A number is valid wherever a path has a parameter.
    const url = path.replace(/\{\w+\}/g, '1');
    for (const method of methods.filter((one) => !allowed.includes(one))) {
      const answer = await app.admin.raw({ method, url });
      const { code } = method === 'HEAD' ? { code: '' } : answer.json<ErrorBody>();
      const refused = [method, path, answer.statusCode, code];
      expect(refused).toEqual([
        method,
        path,
        405,
        method === 'HEAD' ? '' : 'request.method_not_allowed',
      ]);
      expect(String(answer.headers['allow']).split(', ').toSorted()).toEqual(allowed.toSorted());
    }
  }
});

test('a word that an address names is no id', async () => {
  const app = await testApp();
  const at = '/api/project/1/integrations';
  const cases = [
    ['PUT', `${at}/aliases/`, 'GET, HEAD, POST'],
    ['DELETE', `${at}/aliases?a=b`, 'GET, HEAD, POST'],
    ['GET', `${at}/aliases/7`, 'DELETE'],
    ['GET', '/api/project/1/inventory/preview', 'POST'],
    ['PATCH', '/api/project/1/repositories/branches', 'POST'],
  ] as const;
  for (const [method, url, allow] of cases) {
    const answer = await app.nobody.raw({ method, url });
    expect([url, answer.statusCode]).toEqual([url, 405]);
    expect(String(answer.headers['allow']).split(', ').toSorted().join(', ')).toBe(allow);
  }
});
