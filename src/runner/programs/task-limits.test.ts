import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { limitsReached, setLimits, unheldBelow } from './control-group.ts';
import { controlFiles, limitNames, limitWords, lowerOf, noLimits } from './task-limits.ts';

const all = { memoryMib: 512, cpuPercent: 150, processes: 99 };

test('of the limits of a template and of the administrator the lower one counts', () => {
  expect(lowerOf(all, noLimits)).toEqual(all);
  expect(lowerOf(noLimits, all)).toEqual(all);
  const other = { memoryMib: 100, cpuPercent: 800, processes: 0 };
  const lower = { memoryMib: 100, cpuPercent: 150, processes: 99 };
  expect(lowerOf(all, other)).toEqual(lower);
  expect(lowerOf(other, all)).toEqual(lower);
});

test('limits become texts for the files of a control group, and words for the log', () => {
  const files = controlFiles(all).map(({ file, text }) => `${file}=${text}`);
  expect(files).toEqual([
    'memory.max=536870912',
    'memory.swap.max=0',
    'memory.oom.group=1',
    'cpu.max=150000 100000',
    'pids.max=99',
  ]);
  expect(controlFiles(noLimits)).toEqual([]);
  expect(limitWords(all)).toBe('memory 512 MiB, CPU 150 %, 99 processes');
  expect(limitWords(noLimits)).toBe('');
  expect(limitNames({ ...noLimits, processes: 1 })).toEqual(['processes']);
});

/** A folder with such files, as a control group has them. */
async function groupWith(files: Record<string, string>): Promise<string> {
  const group = await mkdtemp(join(await folder(), 'group-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(group, name), text);
  return group;
}

test('a limit is written into the file that the kernel has for it, and a missing one is an error', async () => {
  const group = await groupWith({ 'memory.max': '', 'cpu.max': '', 'pids.max': '' });
  setLimits(group, all);
  expect(await readFile(join(group, 'pids.max'), 'utf8')).toBe('99');
  expect(await readFile(join(group, 'cpu.max'), 'utf8')).toBe('150000 100000');
  const other = await groupWith({ 'memory.max': '' });
  expect(() => setLimits(other, all)).toThrow('cpu.max');
});

test('what the kernel counted says which limits were reached', async () => {
  const events = 'low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 1\n';
  const group = await groupWith({ 'memory.events': events, 'pids.events': 'max 0\n' });
  expect(limitsReached(group)).toEqual({ memory: true, processes: false });
  const other = await groupWith({
    'memory.events': 'oom 0\noom_kill 0\n',
    'pids.events': 'max 3\n',
  });
  expect(limitsReached(other)).toEqual({ memory: false, processes: true });
  expect(limitsReached(null)).toEqual({ memory: false, processes: false });
  expect(limitsReached(await folder())).toEqual({ memory: false, processes: false });
});

test('a controller that cannot be switched on holds no limit', async () => {
  const parent = join(await folder(), 'parent');
  await mkdir(parent);
  // The kernel refuses what it does not know; a folder in its place does so too.
  await mkdir(join(parent, 'cgroup.subtree_control'));
  await chmod(parent, 0o500);
  expect(unheldBelow(parent, ['memoryMib', 'processes'])).toEqual(['memoryMib', 'processes']);
});
