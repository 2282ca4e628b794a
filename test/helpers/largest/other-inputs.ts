// The largest inputs of people and of other programs.

import { fields, type LargeInput, list, survey } from './input.ts';

const webhook = (what: string, body: () => unknown): LargeInput => ({
  endpoint: 'webhooks.receive',
  role: 'nobody',
  what,
  status: 204,
  body,
});

export const otherInputs: LargeInput[] = [
  webhook('a list of 1 MiB of numbers', () => list(99_000, () => 123_456_789)),
  webhook('65,000 keys', () => fields(65_000, 1)),
  webhook('exact numbers of 1 MiB', () => list(40_000, () => 1.123_456_789_012_3)),
  {
    endpoint: 'inventories.preview',
    role: 'manager',
    what: 'a range of 50,000 hosts',
    // On a busy machine it takes too long.
    status: null,
    body: () => ({ type: 'static', inventory: 'h[1:50000] a=1' }),
  },
  {
    endpoint: 'environments.create',
    role: 'manager',
    what: 'all variables and 500 secrets',
    status: 201,
    body: () => ({
      name: 'Large',
      json: JSON.stringify(fields(18_000, 1)),
      env: JSON.stringify(fields(4000, '1')),
      secrets: list(500, (index) => ({
        operation: 'create',
        type: 'var',
        name: `s${index}`,
        secret: 'x'.repeat(20_000),
      })),
    }),
  },
  {
    endpoint: 'templates.create',
    role: 'manager',
    what: 'a survey of 16,000 values',
    status: 201,
    body: ({ inventory_id, repository_id, environment_id }) => ({
      name: 'Large',
      playbook: 'play.yml',
      inventory_id,
      repository_id,
      environment_id,
      survey_vars: survey(160),
    }),
  },
  {
    endpoint: 'workflows.create',
    role: 'manager',
    what: '100 nodes and 495 edges',
    status: 201,
    body: () => ({
      name: 'Large',
      graph: {
        nodes: list(100, (index) => ({
          type: 'wait',
          key: `n${index}`,
          name: `n${index}`,
          seconds: 5,
        })),
        edges: list(495, (index) => ({
          from: `n${Math.floor(index / 5)}`,
          to: `n${Math.min(99, Math.floor(index / 5) + 1 + (index % 5))}`,
        })).filter(
          ({ from, to }, index, all) =>
            from !== to && all.findIndex((one) => one.from === from && one.to === to) === index,
        ),
      },
    }),
  },
  {
    endpoint: 'tasks.start',
    role: 'task_runner',
    what: 'answers and options of 256 KiB',
    status: 201,
    body: ({ template_id }) => ({
      template_id,
      environment: JSON.stringify({ one: 'a', two: 2 }).padEnd(256 * 1024, ' '),
      secret: '{}'.padEnd(256 * 1024, ' '),
    }),
  },
  {
    endpoint: 'tasks.runAgain',
    role: 'task_runner',
    what: '20,000 hosts',
    status: 409,
    body: () => ({ hosts: list(20_000, (index) => `${index}`.padEnd(200, 'h')) }),
  },
  {
    endpoint: 'views.place',
    role: 'manager',
    what: '49,000 views',
    status: 400,
    body: () => Object.fromEntries(list(49_000, (index) => [index + 1, 1])),
  },
  {
    endpoint: 'identity.try',
    role: 'administrator',
    what: '49,000 claims',
    status: 200,
    body: () => ({ source: 'any', claims: { groups: list(49_000, (index) => `group-${index}`) } }),
  },
  {
    endpoint: 'deliveries.try',
    role: 'manager',
    what: 'a body of 1 MiB',
    status: 200,
    body: () => ({ headers: {}, body: JSON.stringify(list(99_000, () => 123_456_789)) }),
  },
];
