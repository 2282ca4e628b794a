// The demo project, which needs no network.

import { randomBytes } from 'node:crypto';
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
import { createWorkflow } from '../automation/workflows/definitions/workflows.ts';
import { newWorkflow, type NewWorkflow } from '#shared/api/workflows.ts';

/** Creates the repository of a demo project; returns its path. */
type MakeRepository = (name: string) => Promise<string>;

export async function createDemo(
  ctx: Context,
  makeRepository: MakeRepository,
  userId: number,
  input: NewProject,
): Promise<Project> {
  const path = await makeRepository(`demo-${randomBytes(6).toString('hex')}`);
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
  const addTemplate = async (fields: DemoTemplate): Promise<number> =>
    (await createTemplate(ctx, projectId, newTemplate.parse({ ...fields, ...shared }))).id;
  await addTemplate(demoHello);
  const look = await addTemplate(demoLook);
  const schedule = { ...demoSchedule, template_id: look };
  await createSchedule(ctx, projectId, newSchedule.parse(schedule));
  const announce = await addTemplate(demoAnnounce);
  await addTemplate({ ...demoVault, vault_key_id: vault.id });
  const build = await addTemplate(demoBuild);
  await addTemplate({ ...demoDeploy, build_template_id: build });
  const deploy = await addTemplate({ ...demoDeployAtOnce, build_template_id: build });
  const workflow = demoWorkflow({ build, look, deploy, announce });
  await createWorkflow(ctx, projectId, workflow);
}

// Decrypts vault-vars.yml of the repository, which contains no real secret.
const vaultPassword = 'demo-vault-password';

interface DemoTemplate extends Record<string, unknown> {
  name: string;
  description: string;
  playbook: string;
}

const demoHello: DemoTemplate = {
  name: '1. Say hello',
  description: 'Prints a few lines with pauses, so that you can watch them arrive.',
  playbook: 'hello.yml',
};

const demoLook: DemoTemplate = {
  name: '2. Look at the server',
  description: 'Shows what Ansible knows about this server.',
  playbook: 'facts.yml',
  allow_override_limit_in_task: true,
  allow_override_tags_in_task: true,
};

const demoAnnounce: DemoTemplate = {
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
    { name: 'minutes', title: 'Delay in minutes', type: 'int' },
  ],
};

const demoVault: DemoTemplate = {
  name: '4. Open the vault',
  description: 'Reads a value that is encrypted in the repository.',
  playbook: 'vault.yml',
};

// Inactive, so that the demo project starts no tasks.
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

const demoDeployAtOnce: DemoTemplate = {
  name: '7. Hang up the timetable at once',
  description: 'Deploys a version without a confirmation: the workflow asks before it comes here.',
  playbook: 'deploy.yml',
  type: 'deploy',
};

// The workflow of the demo project: build, check, approval, deploy, and a failure branch.

interface Steps {
  build: number;
  look: number;
  deploy: number;
  announce: number;
}

const demoWorkflow = ({ build, look, deploy, announce }: Steps): NewWorkflow =>
  newWorkflow.parse({
    name: '8. Change the timetable',
    description:
      'A workflow: prints a timetable, looks at the server, asks you, and hangs the timetable up. ' +
      'If you reject it, or if it cannot be hung up, a late train is announced instead.',
    graph: {
      nodes: [
        { type: 'template', key: 'build', name: 'Print the timetable', template_id: build },
        { type: 'template', key: 'look', name: 'Look at the server', template_id: look },
        {
          type: 'approval',
          key: 'ask',
          name: 'Ask you',
          question:
            'The timetable is printed and the server is healthy. Deploy the timetable? ' +
            'Reject it to see the other way through the workflow.',
          // A new user is the only member, and approves their own launch.
          roles: ['owner', 'manager'],
        },
        {
          type: 'template',
          key: 'deploy',
          name: 'Hang up the timetable',
          template_id: deploy,
          build_node: 'build',
        },
        {
          type: 'template',
          key: 'announce',
          name: 'Announce a late train',
          template_id: announce,
          params: { environment: JSON.stringify(lateTrain) },
          join: 'any',
        },
      ],
      edges: [
        { from: 'build', to: 'look' },
        { from: 'look', to: 'ask' },
        { from: 'ask', to: 'deploy' },
        { from: 'ask', to: 'announce', when: 'failure' },
        { from: 'deploy', to: 'announce', when: 'failure' },
      ],
    },
  });

// Survey answers.
const lateTrain = { destination: 'Harbour', platform: '4', minutes: 10 };
