// Slow: the connection is cut at many points of three tasks, and the console connects again each time.
// A log in the browser whose connection is lost again and again.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { follow, shownLines, useConsole } from '../helpers/console.ts';
import { addProgram, launchTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const steps = 6;

/** A script that prints coloured lines whenever the file exists, and removes it. */
const stepped = (gate: string): string => `
for step in $(seq ${steps}); do
  until [ -e '${gate}' ]; do sleep 0.2; done
  rm '${gate}'
  for line in 1 2 3; do printf '\\033[0;32mok: [h%s]\\033[0m step %s\\n' "$line" "$step"; done
done
`;

test('shows every line once though the connection is cut at many points', async () => {
  // A route that is added to a page cannot be removed, so the page is new.
  const page = await console.enter({ isNew: true });
  const gate = join(console.server.dataDir, demo.only('gate'));
  const template = await addProgram(demo, 'Stepped', stepped(gate));
  let cuts = 0;
  let sent = 0;
  // This proxy between the page and the real server closes the connection after one more message
  // each time.
  await page.routeWebSocket(/\/api\/ws$/, (client) => {
    const server = client.connectToServer();
    let lines = 0;
    const cutAfter = 1 + (cuts % 3);
    server.onMessage((message) => {
      client.send(message);
      if (!String(message).startsWith('{"type":"lines"')) return;
      lines += 1;
      sent += 1;
      if (lines < cutAfter) return;
      cuts += 1;
      void client.close({ code: 4000 });
      void server.close({ code: 4000 });
    });
  });
  for (let round = 0; round < 3; round += 1) {
    const task = await launchTask(demo, template);
    if (round === 0) await page.goto(demo.url('history'));
    await follow(page, demo.url(`history?t=${task.id}`));
    const dialog = page.getByRole('dialog', { name: `Task #${task.id}` });
    for (let step = 1; step <= steps; step += 1) {
      await writeFile(gate, '');
      await dialog.getByText(`ok: [h3] step ${step}`).waitFor();
    }
    await dialog.getByText('Success', { exact: true }).waitFor();
    const path = demo.api(`tasks/${task.id}/output`);
    const output = await call<{ output: string }[]>('GET', path);
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
});
