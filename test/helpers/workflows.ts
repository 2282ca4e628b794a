// Makes workflows in tests, and plays the runner: it ends their tasks as the test says.

import type { CallOf } from '#shared/api/endpoint.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { workflowRuns, type WorkflowRun } from '#shared/api/workflow-runs.ts';
import { workflows, type Workflow } from '#shared/api/workflows.ts';
import { endTask, moveTask } from '../../src/server/automation/tasks/move-task.ts';
import type { TestApp } from './app.ts';
import { seedProject, type Seed } from './seed.ts';

type Graph = CallOf<typeof workflows.create>['body']['graph'];
type Node = Graph['nodes'][number];

export interface Flows {
  app: TestApp;
  seed: Seed;
  params: { project_id: number };
  /** Adds a workflow of these nodes and edges, such as `build>test`, `test!clean`, `test*tell`. */
  add: (nodes: Node[], edges?: string, name?: string) => Promise<Workflow>;
  /** A node of a new template of this name. */
  node: (
    name: string,
    fields?: object,
    template?: Parameters<Seed['template']>[0],
  ) => Promise<Node>;
  launch: (workflow: Pick<Workflow, 'id'>) => Promise<WorkflowRun>;
  read: (run: Pick<WorkflowRun, 'id'>) => Promise<WorkflowRun>;
  /** The states of the nodes of a run, such as `build+ test~ clean.`, and its status. */
  shown: (run: Pick<WorkflowRun, 'id'>) => Promise<string>;
  taskOf: (run: Pick<WorkflowRun, 'id'>, key: string) => Promise<Task>;
  /** Ends the task of a node. */
  end: (run: Pick<WorkflowRun, 'id'>, key: string, to: 'success' | 'error') => Promise<void>;
  /** The sentences about what was decided. */
  decisions: (run: Pick<WorkflowRun, 'id'>) => Promise<string[]>;
}

const whens = { '>': 'success', '!': 'failure', '*': 'always' } as const;

/** Edges from a text such as `build>test test!clean`. */
export const edgesOf = (text: string): NonNullable<Graph['edges']> =>
  text.split(' ').flatMap((part) => {
    const [, from, sign, to] = /^(\w+)([>!*])(\w+)$/.exec(part) ?? [];
    if (!from || !to) return [];
    return { from, to, when: whens[sign as keyof typeof whens] };
  });

const signs = { idle: '.', active: '~', success: '+', failure: '-', skipped: 'x' };

export async function flows(
  app: TestApp,
  files: Record<string, string> | null = null,
): Promise<Flows> {
  const seed = await seedProject(app.admin, files);
  const params = { project_id: seed.projectId };
  let count = 0;
  const read: Flows['read'] = ({ id }) =>
    app.admin.call(workflowRuns.one, { params: { ...params, run_id: id } });
  const taskOf: Flows['taskOf'] = async (run, key) => {
    const node = (await read(run)).nodes.find((one) => one.key === key);
    if (node?.task_id == null) throw new Error(`The node ${key} has no task.`);
    return app.admin.call(tasks.one, { params: { ...params, task_id: node.task_id } });
  };
  return {
    app,
    seed,
    params,
    read,
    taskOf,
    add(nodes, edges = '', name) {
      count += 1;
      const body = { name: name ?? `Workflow ${count}`, graph: { nodes, edges: edgesOf(edges) } };
      return app.admin.call(workflows.create, { params, body });
    },
    async node(name, fields = {}, template = {}) {
      const { id } = await seed.template({ name: `${name} ${(count += 1)}`, ...template });
      return { type: 'template', key: name, name, template_id: id, ...fields } as Node;
    },
    launch: ({ id }) =>
      app.admin.call(workflows.launch, { params: { ...params, workflow_id: id }, body: {} }),
    async shown(run) {
      const { nodes, status } = await read(run);
      return [...nodes.map(({ key, state }) => `${key}${signs[state]}`), status].join(' ');
    },
    async end(run, key, to) {
      const task = await taskOf(run, key);
      await moveTask(app.ctx, task, 'starting');
      await moveTask(app.ctx, task, 'running');
      await endTask(app.ctx, task, to);
    },
    async decisions({ id }) {
      const of = { ...params, run_id: id };
      return (await app.admin.call(workflowRuns.decisions, { params: of })).map(({ text }) => text);
    },
  };
}
