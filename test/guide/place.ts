// A real server with what the commands of the guide name: a project, three templates, three workflows,
// an integration, a token, and stand-ins for the programs that would install something.

import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { type ApiCall, connectApi } from '../helpers/api-client.ts';
import { folder } from '../helpers/seed.ts';
import { startServer, type TestServer } from '../helpers/server.ts';

const checkout = resolve(import.meta.dirname, '../..');

/**
 * A program that needs an engine or a cluster: it says what it was called with, looks whether the files
 * are there that it is given, and runs a backup that should run in a container.
 */
const standIn = (name: string): string =>
  `echo "${name} $*" >&2
while [ $# -gt 0 ]; do
  case $1 in
    -f) test -e "$2" || exit ;;
    --from-file=*) test -e "\${1#*=}" || exit ;;
    exec) inside=yes ;;
    signalbox) [ "$inside$2" = yesbackup ] && shift && exec "$CHECKOUT_OF_TEST/bin/signalbox" "$@" ;;
  esac
  shift
done`;

/** `npm` only looks whether the checkout has the script; the others print what they were called with. */
const programs = {
  curl: 'exec /usr/bin/curl --fail-with-body --silent --show-error "$@"',
  npx: 'shift; exec "$CHECKOUT_OF_TEST/bin/signalbox" "$@"',
  npm: 'echo "npm $*"; [ "$1" = run ] && shift; jq -e --arg name "$1" \'.scripts[$name]\' package.json',
  docker: standIn('docker'),
  kubectl: standIn('kubectl'),
  restic: 'echo "restic $*"; cat > /dev/null',
  gpg: 'echo "gpg $*"; cat > /dev/null',
  useradd: 'echo "useradd $*"',
  usermod: 'echo "usermod $*"',
  loginctl: 'echo "loginctl $*"',
  'apt-get': 'echo "apt-get $*"',
  systemctl: 'echo "systemctl $*"',
  ssh: 'exec /usr/bin/ssh -G "$@"',
};

export interface GuideServer {
  server: TestServer;
  api: ApiCall;
  /** The id of the project. */
  project: number;
  /** The folder that is the repository of the templates. */
  code: string;
  variables: Record<string, string>;
  /** The address of the integration. */
  alias: string;
  create: (noun: string, body: object) => Promise<{ id: number }>;
  stop: () => Promise<void>;
}

const survey = [
  { name: 'version', title: 'Version', type: '' },
  { name: 'replicas', title: 'Replicas', type: 'int' },
];
const secret = 'the secret of the sender';

export async function makePlace(postgres: string): Promise<GuideServer> {
  // The tasks of several users have to enter it.
  const root = await mkdtemp(join(tmpdir(), 'signalbox-guide-'));
  await chmod(root, 0o755);
  const [bin, code] = [join(root, 'bin'), join(root, 'code')];
  for (const path of [bin, code, join(code, 'src')]) await mkdir(path);
  for (const [name, lines] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/bash\n${lines}\n`, { mode: 0o755 });
  }
  await writeFile(join(code, 'hello.sh'), 'echo hello\n');
  await writeFile(join(code, 'notes.txt'), 'A note\n');
  const server = await startServer({ env: { SIGNALBOX_LOCAL_REPOSITORIES: code } });
  const api = await connectApi(server);
  const anna = { name: 'Anna', username: 'anna', email: 'anna@example.com' };
  await api('POST', '/api/users', { ...anna, password: server.password });
  const { id: project } = await api<{ id: number }>('POST', '/api/projects', { name: 'Guide' });
  const create: GuideServer['create'] = (noun, body) =>
    api('POST', `/api/project/${project}/${noun}`, body);
  const key = await create('keys', { name: 'None', type: 'none' });
  await create('repositories', { name: 'Code', git_url: code, ssh_key_id: key.id });
  for (const name of ['One', 'Two', 'Three']) {
    const fields = { app: 'bash', playbook: 'hello.sh', repository_id: 1, survey_vars: survey };
    const template = await create('templates', { name, ...fields });
    const node = { type: 'template', key: 'hello', name: 'Hello', template_id: template.id };
    await create('workflows', { name, graph: { nodes: [node], edges: [] } });
  }
  const { token } = await api<{ token: string }>('POST', '/api/user/tokens', { name: 'Guide' });
  const alias = await integrationOf(create);
  const database = new URL(postgres);
  const variables = {
    PATH: `${bin}:${process.env['PATH']}`,
    TOKEN: token,
    SECRET: secret,
    CHECKOUT_OF_TEST: checkout,
    CHECKOUT: await repositoryOf(join(root, 'signalbox')),
    SIGNALBOX_DATA_DIR: server.dataDir,
    PGHOST: database.hostname,
    PGPORT: database.port,
    PGUSER: database.username,
  };
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  };
  return { server, api, project, code, variables, alias, create, stop };
}

/** An integration with the method of GitHub, and its address. */
async function integrationOf(create: GuideServer['create']): Promise<string> {
  const login = { login: '', password: secret };
  const { id } = await create('keys', {
    name: 'Sender',
    type: 'login_password',
    login_password: login,
  });
  const fields = { template_id: 1, auth_method: 'github', auth_secret_id: id };
  const integration = await create('integrations', { name: 'Push', ...fields });
  const made = await create(`integrations/${integration.id}/aliases`, {});
  return (made as unknown as { url: string }).url;
}

/** A repository that has what a clone of this one has at its top. */
async function repositoryOf(to: string): Promise<string> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: to, stdio: 'pipe' });
  await mkdir(to);
  execFileSync('cp', [join(checkout, 'package.json'), to]);
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'One');
  return to;
}

interface Ended {
  code: number | null;
  out: string;
}

/** Runs commands as a person would who has copied them, in a folder with the files that they name. */
export async function runCommands(place: GuideServer, text: string, input = ''): Promise<Ended> {
  const cwd = await folder();
  execFileSync('cp', ['-r', join(checkout, 'deploy'), join(checkout, 'package.json'), cwd]);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(cwd, 'host-key')]);
  const inPlace = text
    .replaceAll('https://signalbox.example.com', place.server.address)
    .replaceAll('https://…', place.alias)
    .replaceAll(/…\/(?:certificate-with-chain|key)\.pem/g, '../package.json');
  const env = { ...process.env, ...place.variables };
  const child = spawn('bash', ['-euo', 'pipefail', '-c', inPlace], { cwd, env });
  child.stdin.end(input);
  const [out, error, code] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<number | null>((done) => child.once('close', done)),
  ]);
  return { code, out: `${out}\n${error}` };
}
