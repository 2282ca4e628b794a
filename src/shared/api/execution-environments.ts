// Execution environments: which programs a task runs with. Those of a project belong to it; those of the installation,
// whose project is null, may be used in all projects.

import { z } from 'zod';
import { crossCheck } from '../cross-check.ts';
import { storedFields } from '../stored-fields.ts';
import { id, initially, line, multiline, optionalId, optionalLine } from '../fields.ts';

/**
 * `server`: the programs of the runner. `tools`: those of a folder, or of a Python environment that the runner builds.
 * `container`: those of an image.
 */
export const executionKinds = ['server', 'tools', 'container'] as const;
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

const mount = z.object({
  /** The folder or file of the runner, which its administrator has to allow. */
  source: absolutePath,
  target: absolutePath,
  read_only: initially(z.boolean(), true),
});
export type ExecutionMount = z.output<typeof mount>;

const limitUpTo = (max: number) =>
  initially(z.number().int().min(0, { error: 'field.zero_or_more' }).max(max), 0);

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
  /** `container`: the name of the image with tag or digest. */
  image: initially(
    optionalLine(500).refine((text) => text === '' || imageName.test(text), {
      error: 'execution_environment.image',
    }),
    '',
  ),
  pull: initially(z.enum(pullPolicies), 'missing'),
  /** `container`: the key with the login of the registry; null: what the runner is logged in with. */
  registry_key_id: optionalId,
  /** `container`: `none`, `host` or the name of a network; empty: the usual one of podman or docker. */
  network: initially(
    optionalLine(100).refine((text) => text === '' || /^[\w][\w.-]*$/.test(text), {
      error: 'execution_environment.network',
    }),
    '',
  ),
  /** `container`: what the container sees besides the files of its task. */
  mounts: initially(z.array(mount).max(20), []),
  /** `container`: the user that runs the programs, as `user`, `uid` or `uid:gid`; empty: that of the task. */
  user: initially(
    optionalLine(100).refine((text) => text === '' || /^[\w][\w.-]*(?::[\w][\w.-]*)?$/.test(text), {
      error: 'execution_environment.user',
    }),
    '',
  ),
  /** `container`: limits in addition to those of template and runner; 0: none. */
  memory_limit_mib: limitUpTo(16_777_216),
  /** 100 is one processor. */
  cpu_limit_percent: limitUpTo(100_000),
  process_limit: limitUpTo(4_000_000),
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
    if (kind === 'container' && image === '')
      refuse('image', 'execution_environment.image_required');
  });
});
export type NewExecutionEnvironment = z.output<typeof newExecutionEnvironment>;

export const executionEnvironment = z.object({
  id,
  /** Null: it belongs to the installation. */
  project_id: id.nullable(),
  ...storedFields(fields.shape),
});
export type ExecutionEnvironment = z.output<typeof executionEnvironment>;

/** What a task keeps of its execution environment. */
export type ExecutionSnapshot = Omit<ExecutionEnvironment, 'project_id' | 'description'>;
