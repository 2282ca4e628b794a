// The largest documents of a restore.

import { fields, type LargeInput, lines, list, megabyte, survey } from './input.ts';

const restore = (what: string, status: number, document: () => object): LargeInput => ({
  endpoint: 'backups.restore',
  role: 'guest',
  what,
  status,
  body: () => ({ format: 'signalbox', version: 1, meta: { name: what }, ...document() }),
});

const keys = [{ name: 'Key', type: 'none' }];
const repositories = [
  { name: 'Code', git_url: 'https://example.com/c.git', git_branch: 'main', ssh_key: 'Key' },
];
const inventories = [{ name: 'Hosts', type: 'static', inventory: 'localhost', ssh_key: 'Key' }];
const environments = [{ name: 'Variables', json: '{}', env: '{}' }];
const template = (index: number): object => ({
  name: `t${index}`,
  app: 'ansible',
  playbook: 'play.yml',
  inventory: 'Hosts',
  repository: 'Code',
  environment: 'Variables',
});
const workflow = (index: number): object => ({
  name: `w${index}`,
  graph: {
    nodes:
      index === 1999
        ? [{ type: 'wait', key: 'n', name: 'n', seconds: 5 }]
        : [{ type: 'workflow', key: 'n', name: 'n', workflow: `w${index + 1}` }],
    edges: [],
  },
});

export const restoreInputs: LargeInput[] = [
  restore('2,000 empty templates', 400, () => ({ templates: list(2000, () => ({})) })),
  restore('2,000 templates with unknown references', 400, () => ({
    templates: list(2000, template),
  })),
  restore('300,000 unknown keys', 400, () => fields(300_000, 1)),
  restore('300,000 unknown keys of a thing', 400, () => ({ keys: [fields(300_000, 1)] })),
  restore('200 unknown keys of 2,000 things', 400, () => ({
    keys: list(2000, () => fields(200, 1)),
  })),
  restore('a chain of 2,000 workflows', 200, () => ({ workflows: list(2000, workflow) })),
  restore('300 templates', 200, () => ({
    keys,
    repositories,
    inventories,
    environments,
    templates: list(300, template),
  })),
  restore('30 large surveys', 200, () => ({
    keys,
    repositories,
    inventories,
    environments,
    templates: list(30, (index) => ({ ...template(index), survey_vars: survey(40) })),
  })),
  restore('300 of each thing that stands alone', 200, () => ({
    keys: list(300, (index) => ({ name: `k${index}`, type: 'none' })),
    environments: list(300, (index) => ({ name: `e${index}`, json: '{}' })),
    views: list(300, (index) => ({ title: `v${index}`, position: index })),
    inventories: list(300, (index) => ({
      name: `i${index}`,
      type: 'static',
      inventory: 'localhost',
    })),
  })),
  restore('200 inventories of 50,000 hosts', 200, () => ({
    inventories: list(200, (index) => ({
      name: `i${index}`,
      type: 'static',
      inventory: `h${index}-[1:50000]`,
    })),
  })),
  restore('an inventory of 4 MB', 200, () => ({
    inventories: [
      { name: 'i', type: 'static', inventory: lines(300_000, (index) => `host-${index}`) },
    ],
  })),
  restore('names of 16 MB', 400, () => ({ meta: { name: 'x'.repeat(15 * megabyte) } })),
  restore('400,000 values of nobody', 400, () => ({
    integration_aliases: list(2000, () => list(200, () => 1)),
  })),
];
