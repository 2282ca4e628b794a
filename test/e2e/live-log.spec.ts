// A log in the browser whose connection is lost again and again.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import {
  callApi,
  openDemo,
  expectAccessible,
  expectNoComplaints,
  shownLines,
  useConsole,
} from '../helpers/console.ts';
import { addProgram, launchTask } from '../helpers/console-tasks.ts';
import { holdDemo } from '../helpers/held-demo.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();

const steps = 6;

/** Prints coloured lines each time that the file is there, and takes it away. */
const stepped = (gate: string): string => `
for step in $(seq ${steps}); do
  until [ -e '${gate}' ]; do sleep 0.05; done
  rm '${gate}'
  for line in 1 2 3; do printf '\\033[0;32mok: [h%s]\\033[0m step %s\\n' "$line" "$step"; done
done
`;

test('shows every line once though the connection is cut at many points', async () => {
  const page = await openDemo(console);
  const gate = join(console.server.dataDir, 'gate');
  const template = await addProgram(console, page, 'Stepped', stepped(gate));
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
    await page.goto(`${console.server.address}/project/1/history?t=${task.id}`);
    const dialog = page.getByRole('dialog');
    for (let step = 1; step <= steps; step += 1) {
      await writeFile(gate, '');
      await until(async () => (await shownLines(page)).at(-1)?.text === `ok: [h3] step ${step}`);
    }
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
  const page = await openDemo(console);
  const start = () => callApi<Task>(page, 'post', '/api/project/1/tasks', { template_id: 1 });
  const read = (id: number) => callApi<Task>(page, 'get', `/api/project/1/tasks/${id}`);
  const first = await start();
  await until(async () => (await read(first.id)).status === 'success');
  const letGo = await holdDemo(console, page);
  const task = await start();
  expect(task.expected_s).toBeGreaterThan(0);
  await page.goto(`${console.server.address}/project/1/history?t=${task.id}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('progressbar', { name: /as a rule/ }).waitFor();
  await dialog.getByText(/^.+ · .+$/).waitFor();
  await letGo();
  await dialog.getByText('Success', { exact: true }).waitFor();
  await dialog.getByText('1 host, 0 failed').click();
  await dialog.getByRole('row', { name: /^localhost \d+/ }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
  expectNoComplaints();
});

test('stays at the end of a log while the room for it changes', async () => {
  const page = await openDemo(console);
  const task = await launchTask(page, await addProgram(console, page, 'Long', 'seq 400\n'));
  await page.goto(`${console.server.address}/project/1/history?t=${task.id}`);
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
