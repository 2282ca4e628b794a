// The result of a failed host in the log, folded out.

import { expect, test } from 'vitest';
import { renderAt } from '../../../../../test/components/render.tsx';
import { LogRow } from './log-row.tsx';
import { resultJson } from './result-json.ts';

const json = '{"changed": false, "msg": "No space left", "rc": 1}';

test.each([
  [`fatal: [web1]: FAILED! => ${json}`, json],
  [`fatal: [web1 -> db1]: UNREACHABLE! => ${json}`, json],
  [`failed: [web1] (item=a => {b}) => ${json}`, `{b}) => ${json}`],
  [`ok: [web1] => ${json}`, null],
  ['fatal: [web1]: FAILED! => {"msg": "cut', null],
  [`The line says fatal: [web1]: FAILED! => ${json}`, null],
  [`fatal: [web1]: FAILED! => {"msg": "${'x'.repeat(200_000)}"}`, null],
])('the JSON of %.60s', (line, found) => {
  expect(resultJson(line)).toBe(found);
});

const row = (isJsonOpen: boolean, output: string) => (
  <LogRow
    number={7}
    line={{ number: 7, time: '2026-01-01T00:00:00.000Z', output } as never}
    digits={3}
    withTime={false}
    pattern={null}
    isHit={false}
    wholeLine={String}
    prefix={String()}
    resultsPrefix={String()}
    isMarked={false}
    section={undefined}
    isFolded={false}
    isJsonOpen={isJsonOpen}
  />
);

test('the button of a failed host says whether its result is open, which has a line for each field', async () => {
  const line = `\u001b[0;31mfatal: [web1]: FAILED! => ${json}\u001b[0m`;
  const closed = await renderAt(row(false, line));
  const button = await closed.findByRole('button', { name: 'Show the result in lines' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(button.dataset['json']).toBe('7');
  closed.unmount();
  const open = await renderAt(row(true, line));
  const text = await open.findByText(/"msg": "No space left"/v, { selector: 'code' });
  expect(text.textContent).toBe(JSON.stringify(JSON.parse(json), null, 2));
  open.getByRole('button', { name: 'Copy text' });
});

test('other lines, and results that are no JSON, have no button', async () => {
  const view = await renderAt(row(false, 'ok: [web1]'));
  await view.findByText('ok: [web1]');
  expect(view.queryByRole('button')).toBeNull();
});
