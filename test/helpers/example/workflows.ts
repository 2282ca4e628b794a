// The workflow of the example, with a run that waits for somebody.

import type { Workflow } from '#shared/api/workflows.ts';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import type { ApiCall } from '../api-client.ts';
import type { Templates } from './templates.ts';

export interface Workflows {
  workflow: number;
  run: number;
}

export async function addWorkflow(
  call: ApiCall,
  projectId: number,
  { build, deploy, backup, certificates }: Templates,
): Promise<Workflows> {
  const template = (key: string, name: string, template_id: number, fields = {}) => ({
    type: 'template',
    key,
    name,
    template_id,
    ...fields,
  });
  const nodes = [
    {
      type: 'approval',
      key: 'ask',
      name: 'Release now?',
      question: 'Is the shop quiet enough for a release?',
      roles: ['owner', 'manager'],
      fields: [{ name: 'reason', title: 'Reason', required: true }],
    },
    template('build', 'Build the shop', build),
    template('backup', 'Save the database', backup),
    template('deploy', 'Deploy the shop', deploy, { build_node: 'build' }),
    { type: 'wait', key: 'wait', name: 'Let it warm up', seconds: 300 },
    template('renew', 'Renew certificates', certificates),
  ];
  const edges = [
    { from: 'ask', to: 'build' },
    { from: 'ask', to: 'backup' },
    { from: 'build', to: 'deploy' },
    { from: 'backup', to: 'deploy' },
    { from: 'deploy', to: 'wait' },
    { from: 'deploy', to: 'renew', when: 'failure' },
  ];
  const path = `/api/project/${projectId}/workflows`;
  const { id } = await call<Workflow>('POST', path, {
    name: 'Release the shop',
    description: 'Builds the shop, saves its data, and rolls it out.',
    graph: { nodes, edges },
  });
  const run = await call<WorkflowRun>('POST', `${path}/${id}/runs`, { message: 'Spring sale' });
  return { workflow: id, run: run.id };
}
