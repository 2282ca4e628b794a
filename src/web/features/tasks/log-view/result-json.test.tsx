// The result of a failed host in the log, folded out.

import { expect, test } from 'vitest';
import { renderAt } from '../../../../../test/components/render.tsx';
import { LogRow } from './log-row.tsx';
import { jsonAtEnd } from './result-json.ts';

const json = '{"changed": false, "msg": "No space left", "rc": 1}';
const pretty = JSON.stringify(JSON.parse(json), null, 2);

test.each([
  [`fatal: [web1]: FAILED! => ${json}`, pretty],
  [`failed: [web1] (item=a => {b}) => ${json}`, pretty],
  [`other words, ${json} `, pretty],
  ['fatal: [web1]: FAILED! => {"msg": "cut', null],
  ['fatal: [web1]: FAILED! => {}}', null],
  [`${'{'.repeat(100)} ${json}`, null],
  [`fatal: [web1]: FAILED! => {"msg": "${'x'.repeat(200_000)}"}`, null],
])('the JSON at the end of %.60s', (line, found) => {
  expect(jsonAtEnd(line)).toBe(found);
});

interface RowState {
  isFailure?: boolean;
  isJsonOpen?: boolean;
}

const row = (output: string, { isFailure = true, isJsonOpen = false }: RowState) => (
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
    isFailure={isFailure}
    isJsonOpen={isJsonOpen}
  />
);

const line = `\u001b[0;31mfatal: [web1]: FAILED! => ${json}\u001b[0m`;

test('the button of a failed host says whether its result is open, which has a line for each field', async () => {
  const closed = await renderAt(row(line, {}));
  const button = await closed.findByRole('button', { name: 'Show the result in lines' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(button.dataset['json']).toBe('7');
  closed.unmount();
  const open = await renderAt(row(line, { isJsonOpen: true }));
  const text = await open.findByText(/"msg": "No space left"/v, { selector: 'code' });
  expect(text.textContent).toBe(pretty);
  open.getByRole('button', { name: 'Copy text' });
});

test.each([
  ['a line without JSON', 'fatal: [web1]', true],
  ['a line that is no failure by the results of the run', line, false],
])('%s has no button', async (_what, output, isFailure) => {
  const view = await renderAt(row(output, { isFailure }));
  await view.findByText(/fatal: \[web1\]/v);
  expect(view.queryByRole('button')).toBeNull();
});
