// What a task hands on, above the log of its page.
// Slow: the page of one kind of task, in both themes.

import { expect, test } from 'vitest';
import { watchCopies } from '../helpers/clipboard.ts';
import { expectAccessibleInBoth, useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

const outputs = {
  url: 'https://example.com/releases/1.4.0',
  'secret token': 'canary-4711',
  notes: 'one\ntwo',
  hosts: ['app-1', 'app-2'],
  a_long_name_of_an_output_of_this_task: 'x'.repeat(300),
};

test('a finished task shows what it has handed on, and of a secret only its name', async () => {
  const script = `cat > "$SIGNALBOX_OUTPUTS" <<'END'\n${JSON.stringify(outputs)}\nEND\n`;
  const template = await addProgram(demo, 'Outputs', script);
  const { id } = await launchTask(demo, template);
  await untilTask(demo, id, 'success');
  const page = await demo.enter(`tasks/${id}`);
  const part = page.getByRole('group').filter({ hasText: /^Outputs5/ });
  await part.getByText('Outputs').click();
  await part.getByText('https://example.com/releases/1.4.0', { exact: true }).waitFor();
  await part.getByText('"app-2"').waitFor();
  await part.getByText('secret', { exact: true }).waitFor();
  expect(await part.getByRole('button').count()).toBe(4);
  const copied = await watchCopies(page);
  await part.getByRole('button', { name: 'Copy notes' }).click();
  await page.getByText('notes copied to the clipboard').waitFor();
  expect(await copied()).toBe('one\ntwo');
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessibleInBoth(page);
  expect(await page.content()).not.toContain('canary-4711');
});

test('a task with wrong outputs says which line is wrong, and what to do', async () => {
  const script = `printf 'a=1\\nb = 2\\n' > "$SIGNALBOX_OUTPUTS"\n`;
  const { id } = await launchTask(demo, await addProgram(demo, 'Wrong outputs', script));
  await untilTask(demo, id, 'error');
  const page = await demo.enter(`tasks/${id}`);
  const why = page.getByRole('region', { name: 'Why it failed' });
  await why.getByText(/^Line 2 of the outputs is not valid: write NAME=value/).waitFor();
  await why.getByText(/^The program finished successfully/).waitFor();
  expect(await page.getByText('Outputs', { exact: true }).count()).toBe(0);
});
