// Adds workflows with every kind of node and every field of them.

import type { CallOf } from '#shared/api/endpoint.ts';
import { members } from '#shared/api/members.ts';
import { templates } from '#shared/api/templates.ts';
import { workflows } from '#shared/api/workflows.ts';
import type { Caller } from './app.ts';

type Node = CallOf<typeof workflows.create>['body']['graph']['nodes'][number];
type Params = { project_id: number };

interface Ids {
  repository: number;
  inventory: number;
  view: number;
  build: number;
  deploy: number;
}

const flags = {
  allow_override_args_in_task: true,
  allow_override_inventory_in_task: true,
  allow_override_branch_in_task: true,
  allow_override_limit_in_task: true,
  allow_override_tags_in_task: true,
  allow_override_skip_tags_in_task: true,
  allow_debug_in_task: true,
  allow_any_variable_in_task: true,
};

const everyOption = {
  message: 'From a workflow',
  environment: '{"colour": "blue"}',
  debug: true,
  debug_level: 3,
  dry_run: true,
  diff: true,
  arguments: '["-v"]',
  git_branch: 'other',
  limit: 'web',
  tags: 'fast',
  skip_tags: 'slow',
};

/** The caller is the only member of the project. */
async function fullNodes(caller: Caller, params: Params, ids: Ids): Promise<Node[]> {
  const open = await caller.call(templates.create, {
    params,
    body: {
      name: 'Open',
      playbook: 'open.yml',
      repository_id: ids.repository,
      inventory_id: ids.inventory,
      environment_id: null,
      ...flags,
    },
  });
  const [own] = await caller.call(members.list, { params });
  const field = {
    name: 'release',
    title: 'Release',
    description: 'Which one',
    type: 'enum' as const,
    required: true,
    values: [{ name: 'New', value: '2' }],
    default_value: '2',
  };
  return [
    { type: 'template', key: 'build', name: 'Build it', template_id: ids.build },
    {
      type: 'approval',
      key: 'ask',
      name: 'Ask',
      question: 'Deploy\nto production?',
      roles: ['manager', 'owner'],
      user_ids: [own?.id ?? 0],
      not_launcher: true,
      fields: [field],
      timeout_s: 3600,
      on_timeout: 'approve',
      position: { x: -1.5, y: 20 },
    },
    { type: 'wait', key: 'night', name: 'Night', until: '22:00', time_zone: 'Europe/Berlin' },
    { type: 'wait', key: 'pause', name: 'Pause', seconds: 60, join: 'any' },
    {
      type: 'template',
      key: 'open',
      name: 'Open',
      template_id: open.id,
      params: { ...everyOption, inventory_id: ids.inventory },
      inputs: [{ name: 'release', node: 'ask', output: 'release' }],
    },
    {
      type: 'template',
      key: 'deploy',
      name: 'Deploy it',
      template_id: ids.deploy,
      build_node: 'build',
    },
  ];
}

/**
 * Adds a workflow with everything, and one that runs it whose name sorts before; returns the id of the
 * first one.
 */
export async function addFullWorkflows(caller: Caller, params: Params, ids: Ids): Promise<number> {
  const whole = await caller.call(workflows.create, {
    params,
    body: {
      name: 'Release',
      description: 'Builds\nand deploys',
      view_id: ids.view,
      graph: {
        nodes: await fullNodes(caller, params, ids),
        edges: [
          { from: 'build', to: 'ask' },
          { from: 'build', to: 'pause', when: 'failure' },
          { from: 'ask', to: 'pause', when: 'always' },
          { from: 'ask', to: 'open' },
          { from: 'open', to: 'deploy' },
        ],
      },
    },
  });
  const nested = { type: 'workflow' as const, key: 'all', name: 'All', workflow_id: whole.id };
  const body = { name: 'Above', graph: { nodes: [nested] } };
  await caller.call(workflows.create, { params, body });
  return whole.id;
}
