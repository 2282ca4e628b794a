// An installation whose tasks run in the pods of the cluster: a server, a runner with exactly the role that the guide
// prints, and a project whose repository pods can reach.

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { V1Pod } from '@kubernetes/client-node';
import { CoreV1Api } from '@kubernetes/client-node';
import type { WholeTask } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { connectApi, type ApiCall } from '../../helpers/api-client.ts';
import { launchGitHttp } from '../../helpers/git-http.ts';
import { gitRepository } from '../../helpers/seed.ts';
import { manifestsIn } from '../../helpers/manifests.ts';
import { until } from '../../helpers/until.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { ansibleImage, signalboxImage } from '../cluster/images.ts';
import {
  runnerProcess,
  serverProcess,
  type RunnerProcess,
  type ServerProcess,
} from './processes.ts';

export interface Installation {
  server: ServerProcess;
  runner: RunnerProcess;
  namespace: string;
  call: ApiCall;
  /** The path of the API of the project. */
  project: string;
  /** Adds a template that runs this script in pods, with these fields of its execution environment. */
  addScript: (script: string, environment?: object) => Promise<number>;
  addTemplate: (
    files: Record<string, string>,
    template: object,
    environment?: object,
  ) => Promise<number>;
  launch: (templateId: number, options?: object) => Promise<number>;
  task: (id: number) => Promise<WholeTask>;
  untilFinished: (id: number) => Promise<WholeTask>;
  log: (id: number) => Promise<string>;
  untilLogged: (id: number, words: string) => Promise<string>;
  pods: () => Promise<V1Pod[]>;
  core: CoreV1Api;
  stop: () => Promise<void>;
}

interface GitServer {
  url: string;
  stop: () => void;
}

interface RoleManifest {
  kind: string;
  rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
}

/** The rules of the Role in deploy/kubernetes/runner, which the guide explains. */
function printedRules(): RoleManifest['rules'] {
  const all = [...manifestsIn('deploy/kubernetes/runner').values()].flat();
  const role = all.find(({ kind }) => kind === 'Role');
  if (!role) throw new Error('deploy/kubernetes/runner has no Role');
  return (role as unknown as RoleManifest).rules;
}

export async function startInstallation(
  cluster: Cluster,
  settings: Record<string, string> = {},
  launchGit: (options: { root: string }) => Promise<GitServer> = launchGitHttp,
): Promise<Installation> {
  const account = await cluster.account(printedRules());
  const server = await serverProcess();
  const call = await connectApi({ address: server.address, password: server.server().password });
  const { token } = await call<{ token: string }>('POST', '/api/runners', { name: 'Cluster' });
  const runner = await runnerProcess({
    SIGNALBOX_SERVER_URL: server.address,
    SIGNALBOX_RUNNER_TOKEN: token,
    SIGNALBOX_KUBERNETES_CONFIG: account.path,
    SIGNALBOX_KUBERNETES_NAMESPACE: account.namespace,
    SIGNALBOX_KUBERNETES_IMAGE: signalboxImage,
    SIGNALBOX_KUBERNETES_SERVER_URL: await cluster.reachable(server.port),
    SIGNALBOX_MAX_PARALLEL_TASKS: '4',
    ...settings,
  });
  const root = await mkdtemp(join(tmpdir(), 'signalbox-git-'));
  const git = await launchGit({ root });
  const { protocol, port } = new URL(git.url);
  const gitUrl = (await cluster.reachable(Number(port))).replace('http:', protocol);
  const core = cluster.admin.makeApiClient(CoreV1Api);
  const { namespace } = account;
  const make = async (path: string, body: object): Promise<number> =>
    (await call<{ id: number }>('POST', path, body)).id;
  const project = `/api/project/${await make('/api/projects', { name: 'Pods' })}`;
  const [key] = await call<{ id: number }[]>('GET', `${project}/keys`);
  const environment_id = await make(`${project}/environment`, { name: 'None' });
  let count = 0;

  const addTemplate: Installation['addTemplate'] = async (files, template, environment = {}) => {
    count += 1;
    const name = `repository-${count}.git`;
    const source = await gitRepository(files);
    execFileSync('git', ['clone', '--quiet', '--bare', source, join(root, name)]);
    const repository_id = await make(`${project}/repositories`, {
      name: `Code ${count}`,
      git_url: `${gitUrl.replace(/\/$/, '')}/${name}`,
      git_branch: 'main',
      ssh_key_id: key?.id,
    });
    const execution_environment_id = await make(`${project}/execution_environments`, {
      name: `Pod ${count}`,
      kind: 'pod',
      image: ansibleImage,
      pull: 'never',
      ...environment,
    });
    const values = { repository_id, environment_id, execution_environment_id };
    return make(`${project}/templates`, {
      name: `Template ${count}`,
      allow_parallel_tasks: true,
      ...values,
      ...template,
    });
  };
  const task = (id: number): Promise<WholeTask> => call('GET', `${project}/tasks/${id}`);
  const log = async (id: number): Promise<string> => {
    const lines = await call<{ output: string }[]>('GET', `${project}/tasks/${id}/output`);
    return lines.map(({ output }) => output).join('\n');
  };
  return {
    server,
    runner,
    namespace,
    call,
    project,
    addTemplate,
    addScript: (script, environment) =>
      addTemplate({ 'run.sh': script }, { app: 'bash', playbook: 'run.sh' }, environment),
    launch: (template_id, options = {}) => make(`${project}/tasks`, { template_id, ...options }),
    task,
    log,
    untilFinished: (id) =>
      until(async () => {
        const found = await task(id).catch(() => null);
        return found && isFinished(found.status) && found;
      }),
    untilLogged: (id, words) =>
      until(async () => {
        const text = await log(id).catch(() => '');
        return text.includes(words) && text;
      }),
    pods: async () => (await core.listNamespacedPod({ namespace })).items,
    core,
    async stop() {
      await runner.stop();
      await server.stop();
      git.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
