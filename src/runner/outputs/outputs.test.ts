// Slow: the real programs hand on results.
// What programs of a task hand on, with the real programs.

import { expect, test } from 'vitest';
import { newCanary } from '../../../test/helpers/canaries.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

async function runScript(script: string, more: object = {}) {
  const runner = await testRunner();
  return runner.run({ app: 'bash', playbook: 'run.sh', files: { 'run.sh': script }, ...more });
}

const write = (text: string): string => `cat > "$SIGNALBOX_OUTPUTS" <<'FILE'\n${text}\nFILE\n`;
const plain = (name: string, value: unknown) => ({ name, value, secret: null });

test('a shell script hands on lines', async () => {
  const { status, task } = await runScript(
    'test ! -s "$SIGNALBOX_OUTPUTS" || exit 3\n' +
      'echo "url=https://example.com/a b" >> "$SIGNALBOX_OUTPUTS"\n' +
      'printf "list<<END\\none\\ntwo\\nEND\\nsecret token=x4711y\\n" >> "$SIGNALBOX_OUTPUTS"\n',
  );
  expect([status, task.outputs]).toEqual([
    'success',
    [
      plain('url', 'https://example.com/a b'),
      plain('list', 'one\ntwo'),
      { name: 'token', value: null, secret: '"x4711y"' },
    ],
  ]);
});

test('a Python script replaces the file by JSON', async () => {
  const script =
    'import json, os\npath = os.environ["SIGNALBOX_OUTPUTS"]\n' +
    'with open(path + ".new", "w") as file:\n' +
    '    json.dump({"hosts": ["a", "b"], "count": 2, "found": None}, file)\n' +
    'os.replace(path + ".new", path)\n';
  const runner = await testRunner({ config: { path: realPrograms } });
  const { status, task } = await runner.run({
    app: 'python',
    playbook: 'run.py',
    files: { 'run.py': script },
  });
  expect([status, task.outputs]).toEqual([
    'success',
    [plain('hosts', ['a', 'b']), plain('count', 2), plain('found', null)],
  ]);
});

test('a task that fails keeps its outputs and its own reason', async () => {
  const { status, task } = await runScript(`${write('A=1')}exit 4\n`);
  expect([status, task.outputs, task.failure?.code]).toEqual([
    'error',
    [plain('A', '1')],
    'failure.exit_code',
  ]);
});

test('a stopped task keeps its outputs', async () => {
  const runner = await testRunner();
  const files = { 'run.sh': `${write('A=1')}echo ready; sleep 1000\n` };
  const launched = await runner.launch({ app: 'bash', playbook: 'run.sh', files });
  await launched.untilLogged('\nready');
  launched.stop();
  const { status } = await launched.untilFinished();
  expect([status, launched.task.outputs]).toEqual(['stopped', [plain('A', '1')]]);
});

test.each([
  ['a line', write('A=1\nhunter2 is my password'), 'line', { line: 2 }],
  ['a link', 'ln -sf /etc/passwd "$SIGNALBOX_OUTPUTS"\n', 'file', {}],
  ['a second name', 'ln "$SIGNALBOX_OUTPUTS" "$SIGNALBOX_OUTPUTS.other"\n', 'file', {}],
  ['a pipe', 'rm "$SIGNALBOX_OUTPUTS"; mkfifo "$SIGNALBOX_OUTPUTS"\n', 'file', {}],
  ['a folder', 'rm "$SIGNALBOX_OUTPUTS"; mkdir "$SIGNALBOX_OUTPUTS"\n', 'file', {}],
  ['a device', 'ln -sf /dev/zero "$SIGNALBOX_OUTPUTS"\n', 'file', {}],
  ['gigabytes', 'truncate -s 4G "$SIGNALBOX_OUTPUTS"\n', 'size', { most: 64 }],
])(
  '%s in place of outputs makes the task fail and says so',
  async (_what, script, code, params) => {
    const { status, task, log } = await runScript(script);
    expect([status, task.exitCode, task.failure, task.outputs]).toEqual([
      'error',
      0,
      { code: `failure.outputs_${code}`, params },
      [],
    ]);
    expect(log).toMatch(/outputs.*(?:write|set)/i);
    expect(log).not.toContain('hunter2');
  },
);

test('what Ansible shows in the place of a secret is no output', async () => {
  const { status, task, log } = await runScript(write('token=<$REDACTED$>'));
  expect([status, task.failure, task.outputs]).toEqual([
    'error',
    { code: 'failure.outputs_masked', params: { name: 'token' } },
    [],
  ]);
  expect(log).toContain('with which Ansible masks secrets');
});

test('a wrong file says so in the log of a task that has failed by itself', async () => {
  const { task, log } = await runScript(`${write('A = 1')}exit 4\n`);
  expect(task.failure?.code).toBe('failure.exit_code');
  expect(log).toContain('Line 1 of the outputs is not valid');
});

test('a file that is removed or left alone hands on nothing', async () => {
  expect((await runScript('rm "$SIGNALBOX_OUTPUTS"\n')).task.outputs).toEqual([]);
  expect((await runScript(':\n')).task.outputs).toEqual([]);
});

test('known secrets are hidden in values, and marked ones everywhere else', async () => {
  const [known, marked, replaced] = [newCanary(), newCanary(), newCanary()];
  const json = JSON.stringify({
    [`secret a`]: marked,
    'secret b': { user: 'u', keys: [replaced] },
    b: `<${replaced}>`,
    c: { [`k ${known}`]: [`${known}!`, `-${marked}-`, 5] },
    pin: 4_711_815,
  });
  const { status, task, log } = await runScript(write(json), {
    secretAnswers: { token: known, pin: '4711815' },
  });
  expect([status, log]).toEqual(['success', expect.any(String)]);
  expect(task.outputs).toEqual([
    { name: 'a', value: null, secret: JSON.stringify(marked) },
    plain('b', '<********>'),
    plain('c', { 'k ********': ['********!', '-********-', 5] }),
    plain('pin', '********'),
  ]);
  expect(log).not.toContain('canary');
});
