// Execution environments: which programs a task runs with. Those of a project belong to it; those of the installation,
// whose project is null, may be used in all projects.

import { z } from 'zod';
import { crossCheck } from '../cross-check.ts';
import { storedFields } from '../stored-fields.ts';
import {
  id,
  initially,
  line,
  multiline,
  numberUpTo,
  optionalId,
  optionalLine,
  using,
} from '../fields.ts';
import { searchText, sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';
import { resourceEndpoints } from './resource-endpoints.ts';

/**
 * `server`: the programs of the runner. `tools`: those of a folder, or of a Python environment that the runner builds.
 * `container`: those of an image. `pod`: those of an image, in a pod of Kubernetes.
 */
export const executionKinds = ['server', 'tools', 'container', 'pod'] as const;
export type ExecutionKind = (typeof executionKinds)[number];

/** When an image is pulled. `missing`: if the runner does not have it. */
export const pullPolicies = ['missing', 'always', 'never'] as const;

const isAbsolutePath = (text: string): boolean =>
  /^\/[^\0:]*$/.test(text) && !text.split('/').includes('..');

const absolutePath = line(1000).refine(isAbsolutePath, {
  error: 'execution_environment.absolute_path',
});

// The grammar of the distribution specification, with at most one tag and one digest.
const imageName =
  /^[a-zA-Z0-9][a-zA-Z0-9.-]*(?::\d{1,5})?(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/;

/** A requirement of pip, such as `ansible-core==2.19.*`; options, which begin with a dash, are refused. */
const requirement = line(300).refine((text) => !/^[-#]/.test(text), {
  error: 'execution_environment.requirement',
});

const isObjectName = (text: string): boolean =>
  text.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(text);

const isLabelPart = (text: string): boolean =>
  text.length <= 63 && /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/.test(text);

/** With a prefix, such as `example.com/disk`, or without one. */
function isLabelName(text: string): boolean {
  const [name = '', prefix, ...more] = text.split('/').toReversed();
  return more.length === 0 && isLabelPart(name) && (prefix === undefined || isObjectName(prefix));
}

function isLabel(text: string): boolean {
  const [name = '', value, ...more] = text.split('=');
  const isValue = value === '' || (value !== undefined && isLabelPart(value));
  return more.length === 0 && isLabelName(name) && isValue;
}

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function isToleration(text: string): boolean {
  const [taint = '', effect, ...more] = text.split(':');
  const isEffect = effect === undefined || taintEffects.includes(effect);
  return more.length === 0 && isEffect && (isLabel(taint) || isLabelName(taint));
}

/** A name of Kubernetes (RFC 1123), such as that of a service account. */
const objectName = line(253).refine(isObjectName, { error: 'execution_environment.object_name' });

/** A label of Kubernetes, as `name=value`. */
const label = line(400).refine(isLabel, { error: 'execution_environment.label' });

/** A label of a pod. The names of Signalbox and Kubernetes are their own. */
const podLabel = label.refine(
  (text) => !/^(?:[^=/]*\.)?(?:signalbox\.dev|kubernetes\.io|k8s\.io)\//.test(text),
  { error: 'execution_environment.reserved_label' },
);

/** A toleration, written as kubectl writes taints: `name=value:effect`, `name:effect`, or without effect for all. */
const toleration = line(400).refine(isToleration, { error: 'execution_environment.toleration' });

const mount = z.object({
  /** The folder or file of the runner, which its administrator has to allow. */
  source: absolutePath,
  target: absolutePath,
  read_only: initially(z.boolean(), true),
});
export type ExecutionMount = z.output<typeof mount>;

const fields = z.object({
  name: line(100, 'name.required'),
  description: initially(multiline(4096), ''),
  kind: z.enum(executionKinds),
  /** `tools`: a folder of the runner whose `bin`, or which itself, has the programs; empty: `packages` are built. */
  folder: initially(z.union([z.literal(''), absolutePath]), ''),
  /** `tools`: what pip installs, one requirement each. */
  packages: initially(z.array(requirement).max(100), []),
  /** `tools`: the version of Python, such as 3.12, or the path of one; empty: the runner's. */
  python: initially(
    optionalLine(200).refine(
      (text) => text === '' || /^(?:3(?:\.\d{1,2}){0,2}|\/[^\0]*)$/.test(text),
      {
        error: 'execution_environment.python',
      },
    ),
    '',
  ),
  /** `tools`: the address of a package index instead of the runner's. */
  index_url: initially(
    optionalLine(1000).refine((text) => text === '' || /^https?:\/\/[^\s@]+$/.test(text), {
      error: 'execution_environment.index_url',
    }),
    '',
  ),
  /** `container`, `pod`: the name of the image with tag or digest. */
  image: initially(
    optionalLine(500).refine((text) => text === '' || imageName.test(text), {
      error: 'execution_environment.image',
    }),
    '',
  ),
  pull: initially(z.enum(pullPolicies), 'missing'),
  /** `container`: the key with the login of the registry; null: what the runner is logged in with. */
  registry_key_id: using('key.use', optionalId),
  /** `container`: `none`, `host` or the name of a network; empty: the usual one of podman or docker. */
  network: initially(
    optionalLine(100).refine((text) => text === '' || /^[\w][\w.-]*$/.test(text), {
      error: 'execution_environment.network',
    }),
    '',
  ),
  /** `container`: what the container sees besides the files of its task. */
  mounts: initially(z.array(mount).max(20), []),
  /** `container`, `pod`: the user that runs the programs, as `uid:gid`; empty: that of the task, or of the runner. */
  user: initially(
    optionalLine(100).refine((text) => text === '' || /^\d{1,10}:\d{1,10}$/.test(text), {
      error: 'execution_environment.user',
    }),
    '',
  ),
  /** `container`, `pod`: limits in addition to those of template and runner; 0: none. */
  memory_limit_mib: numberUpTo(16_777_216),
  /** 100 is one processor. */
  cpu_limit_percent: numberUpTo(100_000),
  /** `container` only. */
  process_limit: numberUpTo(4_000_000),
  /** `pod`: what its node has to have free; 0: the limit, or nothing without one. */
  memory_request_mib: numberUpTo(16_777_216),
  /** 100 is one processor. */
  cpu_request_percent: numberUpTo(100_000),
  /** `pod`: the labels that its node has to have. */
  node_labels: initially(z.array(label).max(20), []),
  tolerations: initially(z.array(toleration).max(20), []),
  /** `pod`: the service account, which the administrator of the runner has to allow; empty: none. */
  service_account: initially(z.union([z.literal(''), objectName]), ''),
  /** `pod`: labels that it gets, for example for network policies. */
  pod_labels: initially(z.array(podLabel).max(20), []),
  /** `pod`: the Secrets of its namespace with the logins of registries. */
  pull_secrets: initially(z.array(objectName).max(10), []),
});

export const newExecutionEnvironment = crossCheck(fields, (check) => {
  check(['kind', 'folder', 'packages'], ({ kind, folder, packages }, refuse) => {
    if (kind !== 'tools') return;
    if (folder === '' && packages.length === 0) {
      refuse('packages', 'execution_environment.tools_required');
    }
    if (folder !== '' && packages.length > 0) {
      refuse('packages', 'execution_environment.folder_or_packages');
    }
  });
  check(['kind', 'image'], ({ kind, image }, refuse) => {
    if ((kind === 'container' || kind === 'pod') && image === '')
      refuse('image', 'execution_environment.image_required');
  });
  check(['kind', 'user'], ({ kind, user }, refuse) => {
    // Such a pod would be refused by the level `restricted` of Pod Security.
    if (kind === 'pod' && /^0+:/.test(user)) refuse('user', 'execution_environment.pod_root');
  });
  for (const name of ['memory', 'cpu'] as const) {
    const [request, limit] =
      name === 'memory'
        ? (['memory_request_mib', 'memory_limit_mib'] as const)
        : (['cpu_request_percent', 'cpu_limit_percent'] as const);
    check(['kind', request, limit], (values, refuse) => {
      if (values.kind !== 'pod' || values[limit] === 0 || values[request] <= values[limit]) return;
      refuse(request, 'execution_environment.request_over_limit');
    });
  }
});
export type NewExecutionEnvironment = z.output<typeof newExecutionEnvironment>;

/**
 * Why no task can use it now. `no_container_engine`: no runner has podman or docker. `no_kubernetes_runner`: no runner
 * starts pods.
 */
export const unavailableReasons = ['no_container_engine', 'no_kubernetes_runner'] as const;

export const executionEnvironment = z.object({
  id,
  /** Null: it belongs to the installation. */
  project_id: id.nullable(),
  ...storedFields(fields.shape),
  /** Null: a runner of the project, or for all projects, can use it. */
  unavailable: z.enum(unavailableReasons).nullable(),
});
export type ShownExecutionEnvironment = z.output<typeof executionEnvironment>;
export type ExecutionEnvironment = Omit<z.output<typeof executionEnvironment>, 'unavailable'>;

/** What a task keeps of its execution environment. */
export type ExecutionSnapshot = Omit<ExecutionEnvironment, 'project_id' | 'description'>;

const query = sortedQuery(['name', 'kind']).extend({
  /** Searched in name, description and image. */
  q: searchText,
});

/** Fields that restrict the programs of a task. */
const kept = [
  'network',
  'mounts',
  'user',
  'memory_limit_mib',
  'cpu_limit_percent',
  'process_limit',
  'memory_request_mib',
  'cpu_request_percent',
  'node_labels',
  'tolerations',
  'service_account',
  'pod_labels',
  'pull_secrets',
] as const;

const codes = {
  create: ['execution_environment.name_taken', 'request.stale'],
  update: ['execution_environment.name_taken'],
  remove: ['execution_environment.in_use'],
} as const;
const ofInstallation = ['execution_environment.of_installation'] as const;

const ofProject = '/api/project/:project_id/execution_environments';

/** Those of a project, and to read those of the installation. */
export const executionEnvironments = {
  ...resourceEndpoints(ofProject, 'execution_environment', {
    permission: 'execution_environment.edit',
    summaries: {
      list: 'The execution environments that templates of the project can use: its own and those of the installation',
      create: 'Add an execution environment to the project',
      one: 'One execution environment of the project or of the installation',
      update: 'Change an execution environment of the project',
      remove: 'Delete an execution environment of the project',
    },
    query,
    body: newExecutionEnvironment,
    kept,
    reply: executionEnvironment,
    refuses: {
      create: codes.create,
      update: [...codes.update, ...ofInstallation],
      remove: [...codes.remove, ...ofInstallation],
    },
  }),
  refs: refsEndpoint(
    `${ofProject}/:execution_environment_id`,
    'an execution environment in the project',
  ),
};

const ofServer = '/api/execution_environments';

/** Those of the installation, which all projects may use. */
export const installationEnvironments = {
  ...resourceEndpoints(ofServer, 'installation_environment', {
    permission: 'admin',
    readPermission: 'admin',
    summaries: {
      list: 'The execution environments of the installation',
      create: 'Add an execution environment that all projects may use; it has no key',
      one: 'One execution environment of the installation',
      update: 'Change an execution environment of the installation',
      remove: 'Delete an execution environment of the installation',
    },
    query,
    body: newExecutionEnvironment,
    kept,
    reply: executionEnvironment,
    refuses: codes,
  }),
  refs: refsEndpoint(
    `${ofServer}/:installation_environment_id`,
    'an execution environment of the installation; each name has its project before it',
    { permission: 'admin' },
  ),
};
