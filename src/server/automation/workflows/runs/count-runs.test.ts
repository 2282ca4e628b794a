import { expect, test } from 'vitest';
import { workflows, type Workflow } from '#shared/api/workflows.ts';
import { testApp } from '../../../../../test/helpers/app.ts';
import { flows } from '../../../../../test/helpers/workflows.ts';

type Node = Workflow['graph']['nodes'][number];

const nested = ({ id }: Workflow, times: number): Node[] =>
  Array.from({ length: times }, (_, index) => {
    const name = `n${index}`;
    return { type: 'workflow', key: name, name, workflow_id: id } as Node;
  });

test('a launch begins at most two hundred runs, in pieces', async () => {
  const f = await flows(await testApp());
  const wait = { type: 'wait', key: 'w', name: 'w', seconds: 3600 } as Node;
  const inner = await f.add([wait]);
  const middle = await f.add(nested(inner, 15));
  const many = await f.add(nested(middle, 13));
  const of = ({ id }: Workflow) => ({ params: { ...f.params, workflow_id: id }, body: {} });
  const refused = await f.app.admin.ask(workflows.launch, of(many));
  expect([refused.status, refused.body.code]).toEqual([422, 'workflow.too_many_runs']);
  // Each level multiplies: this would be millions of runs.
  let deep = middle;
  for (let level = 0; level < 4; level += 1) deep = await f.add(nested(deep, 15));
  expect((await f.app.admin.ask(workflows.launch, of(deep))).body.code).toBe(
    'workflow.too_many_runs',
  );
  const few = await f.add(nested(middle, 12));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const run = await f.launch(few);
  clearInterval(timer);
  expect(run.status).toBe('running');
  expect(turns).toBeGreaterThan(20);
});
