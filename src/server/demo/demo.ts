// The demo project, which needs no network, and each of whose templates succeeds.

import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { NewProject, Project } from '#shared/api/projects.ts';
import { newSchedule } from '#shared/api/schedules.ts';
import { newTemplate } from '#shared/api/templates.ts';
import type { Context } from '../context/context.ts';
import { createEnvironment } from '../resources/environments/environments.ts';
import { createInventory } from '../resources/inventories/inventories.ts';
import { createKey, createKeyOnce, nameOfNone } from '../resources/keys/keys.ts';
import { createProject } from '../projects/projects.ts';
import { createRepository } from '../resources/repositories/repositories.ts';
import { createSchedule } from '../automation/schedules/schedules.ts';
import { inTransaction } from '../context/transaction.ts';
import { createTemplate } from '../automation/templates/templates.ts';

const files = fileURLToPath(new URL('files', import.meta.url));

/** Makes a git repository of a folder; answers its path. */
export type MakeRepository = (name: string, files: string) => Promise<string>;

export async function createDemo(
  ctx: Context,
  makeRepository: MakeRepository,
  userId: number,
  input: NewProject,
): Promise<Project> {
  const path = await makeRepository(`demo-${randomBytes(6).toString('hex')}`, files);
  return inTransaction(ctx, async (inner) => {
    const project = await createProject(inner, userId, input);
    await fill(inner, project.id, path);
    return project;
  });
}

async function fill(ctx: Context, projectId: number, path: string): Promise<void> {
  const key = await createKeyOnce(ctx, projectId, { name: nameOfNone, type: 'none' });
  const repository = await createRepository(ctx, projectId, {
    name: 'Demo playbooks',
    git_url: path,
    git_branch: 'main',
    ssh_key_id: key.id,
    with_submodules: true,
  });
  const inventory = await createInventory(ctx, projectId, {
    name: 'This server',
    type: 'static',
    inventory:
      '[demo]\nlocalhost ansible_connection=local ansible_python_interpreter=auto_silent\n',
    ssh_key_id: key.id,
    become_key_id: null,
    repository_id: null,
  });
  const environment = await createEnvironment(ctx, projectId, {
    name: 'Demo variables',
    json: '{\n  "destination": "Harbour"\n}',
    env: '{}',
    secrets: [],
  });
  const vault = await createKey(ctx, projectId, {
    name: 'Demo vault',
    type: 'login_password',
    login_password: { login: '', password: vaultPassword },
  });
  const shared = {
    repository_id: repository.id,
    inventory_id: inventory.id,
    environment_id: environment.id,
  };
  for (const { hasVault = false, isScheduled = false, ...template } of demoTemplates) {
    const fields = { ...template, ...shared, vault_key_id: hasVault ? vault.id : null };
    const { id } = await createTemplate(ctx, projectId, newTemplate.parse(fields));
    if (isScheduled) {
      const schedule = { ...demoSchedule, template_id: id };
      await createSchedule(ctx, projectId, newSchedule.parse(schedule));
    }
  }
  const build = await createTemplate(
    ctx,
    projectId,
    newTemplate.parse({ ...demoBuild, ...shared }),
  );
  const deploy = { ...demoDeploy, ...shared, build_template_id: build.id };
  await createTemplate(ctx, projectId, newTemplate.parse(deploy));
}

// Opens files/vault-vars.yml, which contains nothing secret.
const vaultPassword = 'demo-vault-password';

interface DemoTemplate extends Record<string, unknown> {
  name: string;
  description: string;
  playbook: string;
  hasVault?: boolean;
  isScheduled?: boolean;
}

const demoTemplates: DemoTemplate[] = [
  {
    name: '1. Say hello',
    description: 'Prints a few lines with pauses, so that you can watch them arrive.',
    playbook: 'hello.yml',
  },
  {
    name: '2. Look at the server',
    description: 'Shows what Ansible knows about this server.',
    playbook: 'facts.yml',
    isScheduled: true,
    allow_override_limit_in_task: true,
    allow_override_tags_in_task: true,
  },
  {
    name: '3. Announce a train',
    description: 'Asks for a few values first: a survey.',
    playbook: 'announce.yml',
    survey_vars: [
      {
        name: 'destination',
        title: 'Destination',
        description: 'Where the train goes',
        type: 'enum',
        required: true,
        values: ['North Yard', 'Mill Lane', 'Harbour', 'Central'].map((name) => ({
          name,
          value: name,
        })),
      },
      { name: 'platform', title: 'Platform', type: 'int', required: true },
      { name: 'delay', title: 'Delay in minutes', type: 'int' },
    ],
  },
  {
    name: '4. Open the vault',
    description: 'Reads a value that is encrypted in the repository.',
    playbook: 'vault.yml',
    hasVault: true,
  },
];

// The schedule is off, so that the demo project starts nothing by itself.
const demoSchedule = {
  name: 'Every morning (switch it on to try)',
  cron_format: '0 6 * * *',
  active: false,
};

const demoBuild: DemoTemplate = {
  name: '5. Build the timetable',
  description: 'Each successful build has a version of its own.',
  playbook: 'build.yml',
  type: 'build',
  start_version: '1.0.0',
};

const demoDeploy: DemoTemplate = {
  name: '6. Hang up the timetable',
  description: 'Deploys a version, after somebody has confirmed it.',
  playbook: 'deploy.yml',
  type: 'deploy',
  requires_confirmation: true,
};
