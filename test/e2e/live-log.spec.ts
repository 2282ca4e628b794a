// A log in the browser whose connection is lost again and again.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import {
  callApi,
  ensureDemo,
  expectAccessible,
  expectNoComplaints,
  shownLines,
  useConsole,
} from '../helpers/console.ts';
import { addTemplate, launchTask } from '../helpers/console-tasks.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();

/** Prints coloured lines in bursts, so that they come in many messages. */
const burst = `
for round in $(seq 18); do
  for line in 1 2; do printf '\\033[0;32mok: [h%s]\\033[0m round %s\\n' "$line" "$round"; done
  sleep 0.15
done
`;

/** A template of a program that prints this. */
const addProgram = (page: Page, name: string, text: string): Promise<number> =>
  addTemplate(console, page, {
    name,
    files: { 'play.sh': text },
    app: 'bash',
    playbook: 'play.sh',
  });

test('shows every line once though the connection is cut at many points', async () => {
  const page = await console.open();
  await ensureDemo(console, page);
  const template = await addProgram(page, 'Burst', burst);
  let cuts = 0;
  let sent = 0;
  // Between the page and the real server: drops the line after one more message each time.
  await page.routeWebSocket(/\/api\/ws$/, (client) => {
    const server = client.connectToServer();
    let lines = 0;
    const patience = 1 + (cuts % 3);
    server.onMessage((message) => {
      client.send(message);
      if (!String(message).startsWith('{"type":"lines"')) return;
      lines += 1;
      sent += 1;
      if (lines < patience) return;
      cuts += 1;
      void client.close({ code: 4000 });
      void server.close({ code: 4000 });
    });
  });
  for (let round = 0; round < 3; round += 1) {
    const task = await launchTask(page, template);
    await page.goto(`${new URL(page.url()).origin}/project/1/history?t=${task.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Success', { exact: true }).waitFor();
    const path = `/api/project/1/tasks/${task.id}/output`;
    const output = await callApi<{ output: string }[]>(page, 'get', path);
    const shown = await until(async () => {
      const lines = await shownLines(page);
      return lines.at(-1)?.number === output.length && lines;
    });
    expect(shown.map(({ number }) => number)).toEqual(output.map((_, index) => index + 1));
    // oxlint-disable-next-line no-control-regex -- colours are shown, not written
    const plain = output.map((line) => line.output.replace(/\u001b\[[\d;]*m/g, ''));
    expect(shown.map(({ text }) => text)).toEqual(plain);
  }
  expect(cuts).toBeGreaterThanOrEqual(4);
  expect(sent).toBeGreaterThan(cuts);
  expectNoComplaints();
});

test('shows how far a run of Ansible is, and in the end what became of its hosts', async () => {
  const page = await console.open();
  await ensureDemo(console, page);
  const start = () => callApi<Task>(page, 'post', '/api/project/1/tasks', { template_id: 1 });
  const read = (id: number) => callApi<Task>(page, 'get', `/api/project/1/tasks/${id}`);
  const first = await start();
  await until(async () => (await read(first.id)).status === 'success');
  const task = await start();
  expect(task.expected_s).toBeGreaterThan(0);
  await page.goto(`${new URL(page.url()).origin}/project/1/history?t=${task.id}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('progressbar', { name: /as a rule/ }).waitFor();
  await dialog.getByText(/^.+ · .+$/).waitFor();
  await dialog.getByText('Success', { exact: true }).waitFor();
  await dialog.getByText('1 host, 0 failed').click();
  await dialog.getByRole('row', { name: /^localhost \d+/ }).waitFor();
  await expectAccessible(page);
  expect(await dialog.getByRole('progressbar').count()).toBe(0);
  expectNoComplaints();
});

test('stays at the end of a log while the room for it changes', async () => {
  const page = await console.open();
  await ensureDemo(console, page);
  const task = await launchTask(page, await addProgram(page, 'Long', 'seq 400\n'));
  await page.goto(`${new URL(page.url()).origin}/project/1/history?t=${task.id}`);
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
  expectNoComplaints();
});
