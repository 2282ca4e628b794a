// Every block of the documents is run or checked, and every call that they name exists.

import { describe, expect, test } from 'vitest';
import { newEnvironment } from '#shared/api/environments.ts';
import { endpoints } from '#shared/api/index.ts';
import { outputEndpoints } from '#shared/api/task-outputs.ts';
import {
  type Block,
  blocks,
  blocksIn,
  calls,
  callsIn,
  languages,
  type NamedCall,
} from './guide/blocks.ts';
import {
  alertBody,
  answer,
  type Check,
  error,
  identityFile,
  namesPage,
  request,
  settings,
} from './guide/checks.ts';
import { type Claim, claims, claimsOf } from './guide/claims.ts';

const place = ({ page, line }: Block): string => `${page}:${line}`;

test('each block is in a language, and a claim says who runs or checks it', () => {
  expect(blocks.length).toBeGreaterThan(50);
  expect(blocks.filter(({ language }) => !languages.includes(language)).map(place)).toEqual([]);
  expect(blocks.filter((block) => claimsOf(block).length !== 1).map(place)).toEqual([]);
});

test('each claim is about one block', () => {
  const about = (claim: Claim) => blocks.filter((block) => claimsOf(block).includes(claim));
  const others = claims.filter((claim) => about(claim).length !== 1);
  expect(others.map(([page, part]) => `${page}: ${part}`)).toEqual([]);
});

describe('a block that is checked at once is right', () => {
  const checked = claims.flatMap(([page, part, { ...check }]) =>
    check.at === 'once' ? [{ page, part, check: check.check }] : [],
  );
  test.each(checked)('$page: $part', ({ page, part, check }) => {
    const block = blocks.find((one) => one.page === page && one.text.includes(part));
    expect(() => check(block?.text ?? '')).not.toThrow();
  });
});

describe('a block that another file runs is named there', () => {
  const others = claims.flatMap(([page, , check]) =>
    check.at === 'elsewhere' ? [{ page, file: check.file }] : [],
  );
  test.each(others)('$page in $file', ({ page, file }) => {
    expect(namesPage(file, page)).toBe(true);
  });
});

/** The paths of the API, with `*` in place of each parameter. */
const known = endpoints.map(({ endpoint: { method, path } }) => ({
  method: method as string,
  path: path.replaceAll(/:\w+/g, '*'),
}));

/** Whether the API has a call; a path without `/api` is one below it. */
function exists({ method, path }: NamedCall): boolean {
  const wanted = path.replaceAll(/<[^>]*>|:\w+|(?<=\/)\d+/g, '*').replace(/\/$/, '');
  const ask = method === 'HEAD' ? 'GET' : method;
  return known.some((one) => {
    if (one.method !== ask && !(ask === 'PATCH' && one.method === 'PUT')) return false;
    if (wanted.startsWith('…')) return one.path.endsWith(wanted.slice(1));
    return one.path === wanted || one.path === `/api${wanted}`;
  });
}

test('each call that a sentence names is one of the API', () => {
  expect(calls.length).toBeGreaterThan(100);
  const missing = calls.filter((call) => !exists(call));
  expect(missing.map(({ page, method, path }) => `${page}: ${method} ${path}`)).toEqual([]);
});

describe('the gate finds', () => {
  const [block] = blocksIn('new.md', 'Text\n\n   ```sh\n   npx nothing\n   ```\n') as [Block];

  test('a block that nobody claims, also in a list', () => {
    expect(block).toEqual({ page: 'new.md', line: 3, language: 'sh', text: 'npx nothing\n' });
    expect(claimsOf(block)).toEqual([]);
  });

  test('a setting and a key of a file that do not exist', () => {
    const check = (of: Check, text: string) => () => of.at === 'once' && of.check(text);
    expect(check(settings, 'SIGNALBOX_ROLE=web')).not.toThrow();
    expect(check(settings, 'SIGNALBOX_ROLE=boss')).toThrow('SIGNALBOX_ROLE');
    expect(check(settings, 'SIGNALBOX_ROLL=web')).toThrow('SIGNALBOX_ROLL');
    expect(check(identityFile, 'ldap:\n  adress: x\n')).toThrow('adress');
  });

  test('a body, an answer, an error and an alert that are wrong', () => {
    const check = (of: Check, content: object) => () =>
      of.at === 'once' && of.check(JSON.stringify(content));
    expect(check(request(newEnvironment), { name: 7 })).toThrow('name');
    expect(check(answer(outputEndpoints.outputs.reply), [{ name: 'a', more: 1 }])).toThrow(
      'is_secret',
    );
    const field = { path: 'name', code: 'name.required', message: 'Name is needed' };
    expect(check(error, { code: 'request.invalid', fields: [field] })).toThrow('Name is needed');
    const alert = { event: 'test', task: null, title: 'Another title', link: 'https://a.example/' };
    expect(check(alertBody, alert)).toThrow('Another title');
  });

  test('a call that does not exist', () => {
    const named = callsIn('new.md', '`GET /api/ping`, `PUT …/keys/<id>` and `GET /api/nothing`');
    expect(named.map(exists)).toEqual([true, true, false]);
  });
});
