// The templates of the example, with their views and schedules.

import type { Add, Resources } from './resources.ts';

export interface Templates {
  build: number;
  deploy: number;
  patch: number;
  backup: number;
  certificates: number;
  view: number;
  schedule: number;
}

const survey = [
  { name: 'window', title: 'Maintenance window', default_value: '02:00 to 04:00', required: true },
  {
    name: 'servers',
    title: 'Which servers',
    type: 'enum',
    default_value: 'all',
    values: [
      { name: 'All of them', value: 'all' },
      { name: 'Web servers', value: 'web' },
    ],
  },
  { name: 'batch', title: 'Servers at once', type: 'int', default_value: '2' },
  { name: 'restart', title: 'Restart afterwards', type: 'boolean', default_value: 'false' },
];

const overrides = {
  allow_override_limit_in_task: true,
  allow_override_branch_in_task: true,
  allow_override_tags_in_task: true,
  allow_override_args_in_task: true,
  allow_override_inventory_in_task: true,
};

export async function addTemplates(add: Add, ids: Resources): Promise<Templates> {
  const view = await add('views', { title: 'Releases' });
  const upkeep = await add('views', { title: 'Maintenance' });
  const shared = { repository_id: ids.repository, environment_id: ids.environment };
  const playbook = { ...shared, inventory_id: ids.inventory };
  const build = await add('templates', {
    ...shared,
    name: 'Build shop',
    app: 'bash',
    type: 'build',
    playbook: 'build.sh',
    start_version: '4.2.0',
    view_id: view,
  });
  const deploy = await add('templates', {
    ...playbook,
    name: 'Deploy shop',
    description: 'Rolls out a build to all web servers, one after the other.',
    type: 'deploy',
    playbook: 'deploy.yml',
    build_template_id: build,
    view_id: view,
    requires_confirmation: true,
    vaults: [{ vault_key_id: ids.vault, name: 'prod' }],
    ...overrides,
  });
  const patch = await add('templates', {
    ...playbook,
    name: 'Patch servers',
    description: 'Installs the updates of the operating system.',
    playbook: 'patch.yml',
    survey_vars: survey,
    view_id: upkeep,
    allow_override_limit_in_task: true,
  });
  const backup = await add('templates', {
    ...shared,
    name: 'Back up database',
    app: 'bash',
    playbook: 'backup.sh',
    view_id: upkeep,
  });
  const certificates = await add('templates', {
    ...playbook,
    name: 'Renew certificates',
    playbook: 'certificates.yml',
    view_id: upkeep,
  });
  await add('templates', {
    ...shared,
    name: 'Weekly report',
    app: 'python',
    playbook: 'report.py',
  });
  const schedule = await add('schedules', {
    template_id: backup,
    name: 'Every night',
    cron_format: '30 2 * * *',
    active: true,
    time_zone: 'Europe/Berlin',
  });
  await add('schedules', {
    template_id: patch,
    name: 'On Sundays',
    cron_format: '0 3 * * 0',
    active: true,
  });
  return { build, deploy, patch, backup, certificates, view, schedule };
}
