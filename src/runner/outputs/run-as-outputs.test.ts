// What tasks with users of their own hand on.

import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { makeRunUsers } from '../../../test/helpers/unix-user.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { prepareIsolation } from '../workspace/run-users.ts';

async function runAsUser(script: string) {
  const users = makeRunUsers(1);
  const runner = await testRunner({ config: { runAs: users }, isWaiting: true });
  await prepareIsolation(runner.config);
  await runner.start();
  const repository = await gitRepository({ 'run.sh': `echo "I am $(id -u)"\n${script}` });
  // As a local repository lies: others may read it.
  await chmod(repository, 0o755);
  const ended = await runner.run({ app: 'bash', playbook: 'run.sh', repository });
  expect(ended.log).toContain(`\nI am ${users[0]?.uid}\n`);
  return ended;
}

test('the user writes into the file and replaces it, and nobody else reads it', async () => {
  const { task } = await runAsUser(
    'echo "mode=$(stat -c %a:%u "$SIGNALBOX_OUTPUTS")" >> "$SIGNALBOX_OUTPUTS"\n' +
      'cp "$SIGNALBOX_OUTPUTS" "$SIGNALBOX_OUTPUTS.new"; echo b=2 >> "$SIGNALBOX_OUTPUTS.new"\n' +
      'mv "$SIGNALBOX_OUTPUTS.new" "$SIGNALBOX_OUTPUTS"; id -u\n',
  );
  expect(task.outputs).toEqual([
    { name: 'mode', value: expect.stringMatching(/^600:\d+$/), secret: null },
    { name: 'b', value: '2', secret: null },
  ]);
});

test('a link does not lead the runner to a file that the user cannot read', async () => {
  const script =
    'ln -sf "$(dirname "$(dirname "$SIGNALBOX_OUTPUTS")")/known.json" "$SIGNALBOX_OUTPUTS"\n';
  const { task } = await runAsUser(script);
  expect([task.outputs, task.failure]).toEqual([[], { code: 'failure.outputs_file', params: {} }]);
});
