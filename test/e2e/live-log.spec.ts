// A log in the browser while its task runs.

import { expect, test } from 'vitest';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { makeGate } from '../helpers/gate.ts';
import { useDemo } from '../helpers/demo.ts';
import { holdDemo } from '../helpers/held-demo.ts';

const console = useConsole();
const demo = useDemo(console);

test('shows how far a run of Ansible is, and in the end what became of its hosts', async () => {
  const page = await console.enter();
  const first = await launchTask(demo, demo.template(1));
  await untilTask(demo, first.id, 'success');
  const letGo = await holdDemo(demo);
  const task = await launchTask(demo, demo.template(1));
  expect(task.expected_s).toBeGreaterThan(0);
  await page.goto(demo.url(`history?t=${task.id}`));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('progressbar', { name: /Usually/ }).waitFor();
  await dialog.getByText(/^.+ · .+$/).waitFor();
  // People who want less motion see no moving lines.
  const moving = () => page.evaluate(() => document.getAnimations().length);
  await expect.poll(moving).toBe(0);
  await letGo();
  await dialog.getByText('Success', { exact: true }).waitFor();
  await dialog.getByRole('link', { name: 'Hosts', exact: true }).click();
  await dialog.getByRole('row', { name: /localhost/ }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
});

test('shows a line that a program has begun and not ended, until it ends', async () => {
  const page = await console.enter();
  const gate = await makeGate();
  const script = `echo begun; printf 'Continue? '; until ${gate.isOpen}; do sleep 0.1; done; echo yes\n`;
  const task = await launchTask(demo, await addProgram(demo, 'Asking', script));
  await page.goto(demo.url(`history?t=${task.id}`));
  const line = page.getByRole('note', { name: 'Current line, still incomplete' });
  await expect.poll(() => line.textContent()).toBe('Continue? ');
  await expectAccessible(page);
  await gate.open();
  await page.getByText('Continue? yes', { exact: true }).waitFor();
  await line.waitFor({ state: 'detached' });
});

test('stays at the end of a log while the room for it changes', async () => {
  const page = await console.enter();
  const task = await launchTask(demo, await addProgram(demo, 'Long', 'seq 400\n'));
  await page.goto(demo.url(`history?t=${task.id}`));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Success', { exact: true }).waitFor();
  const jump = dialog.getByRole('button', { name: 'Jump to end' });
  for (let round = 0; round < 8; round += 1) {
    for (const height of [500, 900, 560, 840]) {
      await page.setViewportSize({ width: 1280, height });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    expect([round, await jump.count()]).toEqual([round, 0]);
  }
});
