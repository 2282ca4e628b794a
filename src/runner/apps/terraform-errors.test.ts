import { expect, test } from 'vitest';
import { errorHeadline } from './terraform-errors.ts';

test('the headline of an error is found as both programs print it', () => {
  const colours =
    '\u001B[31m│\u001B[0m \u001B[0m\u001B[1m\u001B[31mError: \u001B[0m\u001B[0m\u001B[1mSaved plan is stale\u001B[0m';
  expect(errorHeadline(colours)).toBe('Saved plan is stale');
  expect(errorHeadline('Error: No value for required variable.')).toBe(
    'No value for required variable',
  );
  const json = { '@level': 'error', '@message': 'Error: Invalid index', type: 'diagnostic' };
  expect(errorHeadline(JSON.stringify(json))).toBe('Invalid index');
});

test('no other line is one', () => {
  const script =
    '\u001B[0m\u001B[1mterraform_data.a (local-exec):\u001B[0m \u001B[0mError: from a script';
  const json = { '@level': 'info', '@message': 'Error: no' };
  for (const line of [script, '│ 3. Output: Error: x', 'Error: ', JSON.stringify(json), '{ "a"']) {
    expect(errorHeadline(line)).toBeNull();
  }
});
