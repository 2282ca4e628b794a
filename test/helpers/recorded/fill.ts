// Fills an installation of any version with one of everything, by its API. What an older version does
// not have is left out, and the manifest says what there is.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import type { ApiCall } from '../api-client.ts';
import { until } from '../until.ts';

export const secrets = {
  member: 'the password of a member',
  vault: 'the password of the vault',
  hook: 'the secret of the sender',
  variable: 'the value of a secret variable',
  text: 'what the vault has sealed',
} as const;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What the log of the template "Prove" shows when the secret of the environment was opened. */
export const proof = `proof ${sha256(secrets.variable)}`;
export const vaultProof = `vault ${sha256(secrets.text)}`;

const scripts = {
  'prove.sh': 'echo "proof $(printf %s "$SECRET_VALUE" | sha256sum | cut -d " " -f 1)"\n',
  'fail.sh': 'echo "this fails, as it should: grüße"\nexit 3\n',
  'play.yml': `- hosts: all
  gather_facts: false
  vars_files: [sealed.yml]
  tasks:
    - name: Show what the vault has sealed
      ansible.builtin.debug:
        msg: "vault {{ sealed | hash('sha256') }}"
`,
};

type Add = (noun: string, body: object) => Promise<number>;

export interface Filled {
  project: number;
  demo: number;
  token: string;
  hook: string;
  ids: Record<string, number>;
}

export async function fill(call: ApiCall, dataDir: string): Promise<Filled> {
  const demo = await made(call, '/api/projects', { name: 'Demo', demo: true });
  const project = await made(call, '/api/projects', { name: 'Recorded', alert: true });
  const add: Add = (noun, body) => made(call, `/api/project/${project}/${noun}`, body);
  await addPeople(call, project);
  const keys = await addKeys(add);
  const templates = await addTemplates(add, keys, await makeRepository(dataDir));
  const schedule = await addAutomation(add, templates);
  const { url } = await addHook(call, add, { project, template: templates.prove, key: keys.hook });
  const { token } = await call<{ token: string }>('POST', '/api/user/tokens', { name: 'Recorded' });
  await runTasks(call, project, templates);
  const workflow = await addWorkflow(call, project, templates);
  const ids = { ...keys, ...templates, schedule, ...workflow };
  return { project, demo, token, hook: new URL(url).pathname, ids };
}

const made = async (call: ApiCall, path: string, body: object): Promise<number> =>
  (await call<{ id: number }>('POST', path, body)).id;

async function addPeople(call: ApiCall, project: number): Promise<void> {
  const password = secrets.member;
  for (const [name, role] of [
    ['anna', 'owner'],
    ['ben', 'task_runner'],
    ['carla', 'guest'],
  ]) {
    const user = { name, username: name, email: `${name}@example.com`, password };
    const id = await made(call, '/api/users', user);
    await call('POST', `/api/project/${project}/users`, { user_id: id, role });
  }
  await call('POST', '/api/runners', { name: 'Remote' });
}

async function addKeys(add: Add) {
  const login = (name: string, password: string): Promise<number> =>
    add('keys', { name, type: 'login_password', login_password: { login: '', password } });
  const ssh = { login: 'deploy', private_key: await newSshKey() };
  return {
    none: await add('keys', { name: 'No key', type: 'none' }),
    ssh: await add('keys', { name: 'Deploy key', type: 'ssh', ssh }),
    vault: await login('Vault password', secrets.vault),
    hook: await login('Secret of the sender', secrets.hook),
  };
}

const newSshKey = (): Promise<string> =>
  inFolder(async (folder) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
    return readFile(join(folder, 'key'), 'utf8');
  });

/** A file of variables that Ansible Vault has sealed. */
const sealedFile = (): Promise<string> =>
  inFolder(async (folder) => {
    const password = join(folder, 'password');
    await writeFile(password, secrets.vault);
    const args = ['encrypt', '--vault-password-file', password, '--output', '-', '-'];
    const input = `sealed: ${secrets.text}\n`;
    return execFileSync('ansible-vault', args, { cwd: folder, input, stdio: 'pipe' }).toString();
  });

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-recorded-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A local repository. */
async function makeRepository(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'repositories', 'recorded');
  await mkdir(folder, { recursive: true });
  const all = { ...scripts, 'sealed.yml': await sealedFile() };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  const person = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.com'];
  const git = (...args: string[]) => execFileSync('git', [...person, ...args], { cwd: folder });
  git('init', '--quiet', '--initial-branch=main', '--template=');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Add what is recorded');
  return folder;
}

async function addTemplates(add: Add, keys: Awaited<ReturnType<typeof addKeys>>, git_url: string) {
  const repository_id = await add('repositories', {
    name: 'Recorded',
    git_url,
    git_branch: 'main',
    ssh_key_id: keys.none,
  });
  const inventory_id = await add('inventory', {
    name: 'Here',
    type: 'static',
    inventory: 'localhost ansible_connection=local',
    ssh_key_id: keys.ssh,
  });
  const environment_id = await add('environment', {
    name: 'Recorded',
    json: '{"region": "eu-1"}',
    env: '{"PLAIN_VALUE": "plain"}',
    secrets: [
      { operation: 'create', type: 'env', name: 'SECRET_VALUE', secret: secrets.variable },
      { operation: 'create', type: 'var', name: 'secret_answer', secret: secrets.variable },
    ],
  });
  const view_id = await add('views', { title: 'Daily', position: 1 });
  const shell = { app: 'bash', repository_id, environment_id, view_id };
  const survey_vars = [{ name: 'window', title: 'Window', type: '', required: true }];
  return {
    prove: await add('templates', { ...shell, name: 'Prove', playbook: 'prove.sh' }),
    fail: await add('templates', { ...shell, name: 'Fail', playbook: 'fail.sh' }),
    ask: await add('templates', { ...shell, name: 'Ask', playbook: 'prove.sh', survey_vars }),
    build: await add('templates', {
      ...shell,
      name: 'Build',
      playbook: 'prove.sh',
      type: 'build',
      start_version: '1.4',
    }),
    play: await add('templates', {
      ...shell,
      app: 'ansible',
      name: 'Play',
      playbook: 'play.yml',
      inventory_id,
      vaults: [{ name: '', type: 'password', vault_key_id: keys.vault }],
    }),
  };
}

type Templates = Awaited<ReturnType<typeof addTemplates>>;

/** Returns the id of the schedule. Nothing of this starts by itself while the version is recorded. */
async function addAutomation(add: Add, { prove }: Templates): Promise<number> {
  await add('alert_channels', {
    name: 'Chat room',
    type: 'webhook',
    address: 'https://chat.example.com/hooks/recorded',
    active: false,
    events: ['failed'],
  });
  const each = { template_id: prove, cron_format: '* * * * *', active: false };
  return add('schedules', { name: 'Each minute', ...each });
}

async function addHook(
  call: ApiCall,
  add: Add,
  { project, template, key }: { project: number; template: number; key: number },
): Promise<{ url: string }> {
  const id = await add('integrations', {
    name: 'Push',
    template_id: template,
    auth_method: 'token',
    auth_header: 'X-Token',
    auth_secret_id: key,
  });
  return call('POST', `/api/project/${project}/integrations/${id}/aliases`, {});
}

async function runTasks(call: ApiCall, project: number, templates: Templates): Promise<void> {
  for (const [template, fields] of [
    [templates.prove, {}],
    [templates.fail, { message: 'It fails' }],
    [templates.ask, { environment: '{"window": "night"}' }],
    [templates.build, {}],
    [templates.play, {}],
  ] as const) {
    await runTask(call, project, { template_id: template, ...fields });
  }
}

/** Launches a task and waits for its end. */
export async function runTask(
  call: ApiCall,
  project: number,
  body: object,
): Promise<{ id: number; status: TaskStatus }> {
  const path = `/api/project/${project}/tasks`;
  const id = await made(call, path, body);
  return untilEnded(call, `${path}/${id}`);
}

async function untilEnded<T extends { status: TaskStatus }>(call: ApiCall, path: string) {
  let found: T | undefined;
  await until(async () => {
    found = await call<T>('GET', path);
    return isFinished(found.status);
  }, 300);
  if (!found) throw new Error(`${path} has not ended`);
  return found as T & { id: number };
}

async function addWorkflow(
  call: ApiCall,
  project: number,
  { prove, build }: Templates,
): Promise<Record<string, number>> {
  const path = `/api/project/${project}/workflows`;
  // Versions before workflows answer that there is no such call.
  const isKnown = await call('GET', path).then(
    () => true,
    () => false,
  );
  if (!isKnown) return {};
  const node = (key: string, template_id: number) => ({
    type: 'template',
    key,
    name: key,
    template_id,
  });
  const nodes = [node('first', prove), node('second', build)];
  const edges = [{ from: 'first', to: 'second' }];
  const workflow = await made(call, path, { name: 'Release', graph: { nodes, edges } });
  await runWorkflow(call, project, workflow);
  return { workflow };
}

/** Runs a workflow to its end; returns how it ended. */
export async function runWorkflow(
  call: ApiCall,
  project: number,
  workflow: number,
): Promise<string> {
  const path = `/api/project/${project}`;
  const run = await made(call, `${path}/workflows/${workflow}/runs`, {});
  let status = 'running';
  await until(async () => {
    ({ status } = await call<{ status: string }>('GET', `${path}/workflow_runs/${run}`));
    return !['waiting', 'running'].includes(status);
  }, 300);
  return status;
}
