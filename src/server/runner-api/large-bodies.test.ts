// What a runner sends of a task that it does not hold is refused before it is read.

import { expect, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import { enteredRunner, giveTask } from '../../../test/helpers/runner-caller.ts';
import { seedProject } from '../../../test/helpers/seed.ts';
import { launch } from '../../../test/helpers/tasks.ts';

const large = `{"lease": 1, ${' '.repeat(100_000)}`;
const small = '{"lease": 1, ';

test('a large body is read of a held task only', async () => {
  const app = await testApp();
  const runner = await enteredRunner(app);
  const seed = await seedProject(app.admin, null);
  const { id } = await launch(app.admin, seed.projectId, {
    template_id: (await seed.template()).id,
  });
  const codeOf = async (method: 'PUT' | 'POST', what: string, payload: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const url = `/api/runner/tasks/${id}/${what}`;
    return (await runner.raw({ method, url, headers, payload })).json<{ code: string }>().code;
  };
  const codes = async (payload: string) => [
    await codeOf('PUT', 'log', payload),
    await codeOf('POST', 'report', payload),
  ];
  const malformed = ['request.malformed_json', 'request.malformed_json'];
  expect(await codes(large)).toEqual(['runner.task_taken', 'runner.task_taken']);
  expect(await codes(small)).toEqual(malformed);
  await giveTask(app, runner.runnerId, id);
  expect(await codes(large)).toEqual(malformed);
});
