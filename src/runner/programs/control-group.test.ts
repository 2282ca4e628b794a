import { existsSync } from 'node:fs';
import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isRunning } from '../../../test/helpers/processes.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { hasControlGroups } from '../../node/process/own-control-group.ts';

// Leaves its session, its parent and its environment behind.
const escape = `setsid env -i sh -c 'trap "" TERM; echo "child $$"; sleep 1000' &
sleep 0.3
grep -o 'signalbox-.*' /proc/self/cgroup || echo 'in no group'
`;

/** Whether this machine lets us make control groups, asked without our own code. */
async function canMakeGroups(): Promise<boolean> {
  for (const place of ['/sys/fs/cgroup/unified', '/sys/fs/cgroup']) {
    const probe = `${place}/signalbox-probe-${process.pid}`;
    const isMade = await mkdir(probe).then(
      () => true,
      () => false,
    );
    const isGroup = isMade && (await readdir(probe)).includes('cgroup.kill');
    if (isMade) await rmdir(probe).catch(() => undefined);
    if (isGroup) return true;
  }
  return false;
}

test('where there are control groups, nothing a task started outlives it, however it hides', async () => {
  const runner = await testRunner();
  const { status, log } = await runner.run({ files: { 'play.yml': escape } });
  expect(status).toBe('success');
  const child = Number(/child (\d+)/.exec(log)?.[1]);
  const isHeld = await canMakeGroups();
  expect(log.includes('in no group')).toBe(!isHeld);
  expect(isRunning(child)).toBe(!isHeld);
  expect(hasControlGroups()).toBe(isHeld);
  const group = log.split('\n').find((line) => line.startsWith('signalbox-')) ?? 'none';
  expect(await until(() => !existsSync(`/sys/fs/cgroup/unified/${group}`))).toBe(true);
  if (!isHeld) process.kill(child, 'SIGKILL');
});

// As containers do that are started with --cgroups=split.
const below = `for mount in /sys/fs/cgroup /sys/fs/cgroup/unified; do
  own=$mount$(sed -n 's/^0:://p' /proc/self/cgroup)
  [ -e "$own/cgroup.procs" ] && break
done
mkdir -p "$own/below/deep"
sh -c 'echo $$ >"$0/below/deep/cgroup.procs"; exec env -i setsid sh -c "echo child \\$\\$; sleep 1000"' "$own" &
sleep 0.3
echo "group $own"
`;

test('groups that programs have made below theirs end and are removed with it', async () => {
  const runner = await testRunner();
  const { status, log } = await runner.run({ files: { 'play.yml': below } });
  expect([status, log]).toEqual(['success', expect.stringContaining('child')]);
  const child = Number(/child (\d+)/.exec(log)?.[1]);
  const isHeld = await canMakeGroups();
  expect(isRunning(child)).toBe(!isHeld);
  const group = /^group (\S+)$/m.exec(log)?.[1] ?? '';
  expect(group.includes('signalbox-')).toBe(isHeld);
  expect(!isHeld || (await until(() => !existsSync(group)))).toBe(true);
  if (!isHeld) process.kill(child, 'SIGKILL');
});
