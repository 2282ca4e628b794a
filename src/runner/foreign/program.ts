// A program that reads what others have written: files of a checkout, as the user of the task, and
// texts to parse. It reads one order from standard input and prints the answer. It is killed when it
// takes too long or too much memory.

import { readFileSync } from 'node:fs';
import { readInventory } from './inventory-list.ts';
import { listInside, readInside } from './inside.ts';
import type { Answers, FileAnswer, Order, TerraformAnswer } from './orders.ts';
import { readPlan } from './terraform-plan.ts';
import { hasOwnBackend, isSource } from './terraform-files.ts';

const order = JSON.parse(readFileSync(0, 'utf8')) as Order;
const isRequirements = order.about === 'files' && order.files.some(({ as }) => as !== 'text');
// Loaded before the change of the user, who may not be allowed to read the installation.
const requirements = isRequirements ? await import('./requirements-file.ts') : null;

if (order.user && process.setgroups && process.setgid && process.setuid) {
  process.setgroups([]);
  process.setgid(order.user.gid);
  process.setuid(order.user.uid);
}
process.stdout.write(JSON.stringify(answerTo(order)));

function answerTo(asked: Order): Answers[Order['about']] {
  switch (asked.about) {
    case 'files':
      return asked.files.map(readOne);
    case 'terraform':
      return lookAtTerraform(asked.folder);
    case 'inventory':
      return readInventory(asked.text);
    case 'plan':
      return readPlan(asked.text);
  }
}

type Wanted = Extract<Order, { about: 'files' }>['files'][number];

function readOne({ root, path, as }: Wanted): FileAnswer {
  const read = readInside(root, path);
  if (read === null || 'refused' in read) return read;
  const found = as === 'requirements' ? requirements?.readRequirements(read.text) : undefined;
  return { text: read.text, asksFor: [], localSources: null, ...found };
}

function lookAtTerraform({ root, path }: { root: string; path: string }): TerraformAnswer {
  const answer: TerraformAnswer = { hasBackend: false, refused: [] };
  for (const name of listInside(root, path).filter(isSource)) {
    const read = readInside(root, `${path}/${name}`);
    if (read === null) continue;
    if ('refused' in read) answer.refused.push({ name, why: read.refused });
    else answer.hasBackend ||= hasOwnBackend(read.text);
  }
  return answer;
}
