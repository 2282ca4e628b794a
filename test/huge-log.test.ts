// Before a release: 300 MB are printed, stored and read.
// Clients of the older API read a log of 300 MB whole; the server never has more than pieces of it
// in memory.

import { expect, test } from 'vitest';
import { testApp } from './helpers/app.ts';
import { taskWithLog } from './helpers/logs.ts';

const lineLength = 1000;
const lineCount = 300_000;
const megabyte = 1024 * 1024;

function* lines(): Generator<string> {
  for (let number = 1; number <= lineCount; number += 1) {
    yield `${number} `.padEnd(lineLength, 'some words of a log, ');
  }
}

const memory = (): number => process.memoryUsage().rss / megabyte;

test.each(['output', 'raw_output'])(
  '%s is never whole in memory',
  async (name) => {
    const app = await testApp();
    const address = await app.listen();
    const task = await taskWithLog(app, lines());
    const url = `${address}/api/project/${task.project_id}/tasks/${task.id}/${name}`;
    const before = memory();
    let most = before;
    const answer = await fetch(url, { headers: { cookie: app.admin.cookie } });
    let size = 0;
    let newLines = 0;
    let objects = 0;
    const reader = answer.body?.getReader();
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      const bytes = Buffer.from(read.value);
      size += bytes.length;
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) newLines += 1;
      for (let at = bytes.indexOf(123); at >= 0; at = bytes.indexOf(123, at + 1)) objects += 1;
      most = Math.max(most, memory());
    }
    expect(size).toBeGreaterThan(lineLength * lineCount);
    expect(name === 'output' ? objects : newLines).toBe(lineCount);
    expect(most - before).toBeLessThan(150);
  },
  180_000,
);
