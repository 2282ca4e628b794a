// Makes a project full of secrets, with a template for each app that prints every secret that it can.

import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { apps } from '#shared/api/apps.ts';
import { environments } from '#shared/api/environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { hostConfigs } from '#shared/api/host-configs.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import type { Template } from '#shared/api/templates.ts';
import { addChannel } from './alerts.ts';
import type { Caller } from './app.ts';
import { newCanary, type Canaries } from './canaries.ts';
import { startGitHttp } from './git-http.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { folder, gitRepository, seedProject, type Seed } from './seed.ts';
import { startSshServer } from './sshd.ts';
import { makeUnixUser } from './unix-user.ts';

export interface CanaryProject {
  seed: Seed;
  templates: Template[];
  canaries: Canaries;
  /** Receives the alerts and refuses them. */
  receiver: Receiver;
  alertChannelId: number;
  hostConfigId: number;
  /** The folder in which each run notes that it has begun, and waits for the file `open`. */
  gate: string;
}

const survey = [{ name: 'token', title: 'Token', type: 'secret' as const }];

/** A shell command that waits in the middle of a run. */
const wait = (gate: string, run: string): string =>
  `touch ${gate}/begun-${run}; until [ -e ${gate}/open ]; do sleep 0.1; done`;

const play = (gate: string): string => `- hosts: all
  gather_facts: false
  vars_files: [vault.yml]
  tasks:
    - ansible.builtin.debug:
        msg: "{{ item }} {{ item | b64encode }} {{ item | urlencode }}"
      loop: ["{{ token }}", "{{ hidden }}", "{{ lookup('env', 'API_KEY') }}", "{{ fromvault }}"]
    - ansible.builtin.shell: "${wait(gate, '{{ run }}')}"
      become: "{{ becoming }}"
    - ansible.builtin.debug: { msg: "token of {{ token | length }}" }
`;

const script = (gate: string): string => `
for one in "$token" "$hidden" "$API_KEY"; do echo "$one"; printf %s "$one" | base64 -w0; echo; done
cat "$SIGNALBOX_VARIABLES"; env; echo kept > ~/kept-by-bash
${wait(gate, 'bash')}
echo "token of \${#token}"
`;

const python = (gate: string): string => `
import base64, json, os, subprocess, urllib.parse
values = json.load(open(os.environ['SIGNALBOX_VARIABLES']))
for one in [values['token'], values['hidden'], os.environ['API_KEY']]:
    print(one, repr(one), base64.b64encode(one.encode()).decode(), urllib.parse.quote(one, safe=''))
subprocess.run(['sh', '-c', '${wait(gate, 'python')}'])
print('token of', len(values['token']))
`;

// Terraform understands this text, and so does the fake Terraform, which reads the comments.
const terraform = (gate: string): string => `# input: word
# waits: ${tell} ${wait(gate, 'terraform')}
variable "token" { sensitive = true }
variable "hidden" { sensitive = true }
resource "terraform_data" "it" {
  input = "word"
  provisioner "local-exec" {
    command = "${tell} ${wait(gate, 'terraform')}"
  }
}
output "length" { value = nonsensitive(length(var.token)) }
`;

const tell = 'echo $API_KEY; printf %s $API_KEY | base64 -w0;';

async function encrypted(password: string): Promise<string> {
  const at = await folder();
  const [file, secret] = [join(at, 'vault.yml'), join(at, 'password')];
  await writeFile(file, 'fromvault: a word\n');
  await writeFile(secret, password);
  execFileSync('ansible-vault', ['encrypt', `--vault-id=default@${secret}`, file], {
    stdio: 'ignore',
  });
  const text = await readFile(file, 'utf8');
  await rm(at, { recursive: true });
  return text;
}

async function makeKey(passphrase: string): Promise<string> {
  const at = await folder();
  const file = join(at, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'test', '-f', file]);
  const text = await readFile(file, 'utf8');
  await rm(at, { recursive: true });
  return text;
}

/** Plants a canary as each kind of secret; the launches set `token`. */
export async function plantCanaries(owner: Caller): Promise<CanaryProject> {
  const gate = await folder();
  const canaries: Canaries = Object.fromEntries(
    ['user password', 'sudo password', 'passphrase', 'vault password', 'secret answer']
      .concat(['extra variable', 'process variable', 'repository password'])
      .concat(['alert address', 'alert token', 'password of a host'])
      .map((kind) => [kind, newCanary()]),
  );
  const secret = (kind: string): string => canaries[kind] ?? '';
  const code = await gitRepository({
    'play.yml': play(gate),
    'vault.yml': await encrypted(secret('vault password')),
    'run.sh': script(gate),
    'run.py': python(gate),
    'infra/main.tf': terraform(gate),
  });
  const git = await startGitHttp({
    root: dirname(code),
    account: `robot:${secret('repository password')}`,
  });
  const seed = await seedProject(owner, null);
  const params = { project_id: seed.projectId };
  const password = async (kind: string, login = '') => {
    const login_password = { login, password: secret(kind) };
    const body = { name: `${kind} ${login}`, type: 'login_password' as const, login_password };
    return (await owner.call(keys.create, { params, body })).id;
  };
  const repository = await owner.call(repositories.create, {
    params,
    body: {
      name: 'Over http',
      git_url: `${git.url}${basename(code)}/.git`,
      git_branch: 'main',
      ssh_key_id: await password('repository password', 'robot'),
    },
  });
  const environment = await owner.call(environments.create, {
    params,
    body: {
      name: 'Secrets',
      secrets: [
        { operation: 'create', name: 'hidden', secret: secret('extra variable') },
        { operation: 'create', type: 'env', name: 'API_KEY', secret: secret('process variable') },
      ],
    },
  });
  const shared = {
    repository_id: repository.id,
    environment_id: environment.id,
    survey_vars: survey,
  };
  const private_key = await makeKey(secret('passphrase'));
  canaries['private key'] = private_key.split('\n')[2] ?? '';
  const ssh = { login: '', passphrase: secret('passphrase'), private_key };
  const sshKey = await owner.call(keys.create, { params, body: { name: 'Ssh', type: 'ssh', ssh } });
  const ofHosts = [
    { type: 'host' as const, host: 'git.invalid', ssh_key_id: sshKey.id },
    {
      type: 'url' as const,
      host: 'https://git.invalid/team/',
      ssh_key_id: await password('password of a host', 'robot'),
    },
  ];
  const made = await Promise.all(
    ofHosts.map((body) => owner.call(hostConfigs.create, { params, body })),
  );
  const ofAnsible = { ...shared, vault_key_id: await password('vault password') };
  const withKey = await addInventory(owner, seed, {
    inventory: 'localhost ansible_connection=local run=key becoming=false\n',
    ssh_key_id: sshKey.id,
    become_key_id: await password('sudo password'),
  });
  const { port } = await startSshServer({ passwords: true });
  const { login } = makeUnixUser(secret('user password'));
  const withPassword = await addInventory(owner, seed, {
    inventory: `127.0.0.1 ansible_port=${port} ansible_python_interpreter=/usr/bin/python3 run=password becoming=true\n`,
    ssh_key_id: await password('user password', login),
    become_key_id: await password('user password'),
  });
  await useStandIn(owner);
  const receiver = await startReceiver();
  receiver.answer((response) => response.writeHead(400).end());
  const channel = await addChannel(owner, seed.projectId, {
    type: 'gotify',
    address: `${receiver.url}/${encodeURIComponent(secret('alert address'))}`,
    secret: secret('alert token'),
    events: ['succeeded', 'failed'],
  });
  const fields = [
    { ...ofAnsible, inventory_id: withKey },
    { ...ofAnsible, inventory_id: withPassword },
    { ...shared, app: 'bash', playbook: 'run.sh' },
    { ...shared, app: 'python', playbook: 'run.py' },
    { ...shared, app: 'terraform', playbook: 'infra', inventory_id: null, auto_approve: true },
  ];
  const templates: Template[] = [];
  for (const one of fields) templates.push(await seed.template(one));
  return {
    seed,
    templates,
    canaries,
    receiver,
    alertChannelId: channel.id,
    hostConfigId: made[0]?.id ?? 0,
    gate,
  };
}

async function addInventory(owner: Caller, seed: Seed, fields: object): Promise<number> {
  const body = { name: JSON.stringify(fields).slice(0, 200), type: 'static' as const, ...fields };
  const params = { project_id: seed.projectId };
  return (await owner.call(inventories.create, { params, body: body as never })).id;
}

/** For machines on which Terraform is not installed. */
async function useStandIn(admin: Caller): Promise<void> {
  const params = { app_id: 'terraform' };
  const { available } = await admin.call(apps.one, { params });
  if (available) return;
  const path = join(import.meta.dirname, '../fixtures/stand-in/terraform');
  await admin.call(apps.update, { params, body: { path } });
}
