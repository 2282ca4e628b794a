import { z } from 'zod';
import { factNames } from '../host-facts.ts';
import { runnerTags } from '../runner-tags.ts';
import { grantedTypes } from '../grants/granted-types.ts';
import { rightNames } from '../rights.ts';
import { endpoint } from './endpoint.ts';
import {
  id,
  initially,
  line,
  nullable,
  optional,
  optionalId,
  using,
  optionalLine,
  time,
} from '../fields.ts';

export const project = z.object({
  id,
  name: z.string(),
  created: time,
  alert: z.boolean(),
  alert_chat: z.string().nullable(),
  /** The limit of parallel tasks of the project; 0: no limit. */
  max_parallel_tasks: z.number().int(),
  /** The runner tags for templates without tags. */
  runner_tags: z.array(z.string()),
  /** Whether programs of tasks share a HOME that is kept. */
  keep_home: z.boolean(),
  /** The facts of hosts to keep from Ansible runs, by name; empty: none. */
  host_facts: z.array(z.string()),
  /** With which programs tasks of templates run that name none; null: those of the runner. */
  execution_environment_id: id.nullable(),
  type: z.string(),
});
export type Project = z.output<typeof project>;

// Forms send texts of inputs, which may be empty.
const numberOfText = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return null;
  return /^-?\d{1,9}$/.test(value.trim()) ? Number(value) : value;
};

const zeroOrMore = z.preprocess(
  numberOfText,
  nullable(
    z
      .number({ error: 'field.integer' })
      .int({ error: 'field.integer' })
      .min(0, { error: 'field.zero_or_more' })
      .max(1_000_000),
  ),
);

export const newProject = z.object({
  name: line(255, 'project.name_required'),
  alert: optional(z.boolean()),
  alert_chat: nullable(optionalLine(30)),
  max_parallel_tasks: zeroOrMore,
  /** The tags that a runner needs for tasks of templates without tags. */
  runner_tags: using('runner.use', initially(runnerTags, [])),
  /** Whether programs of tasks share a HOME that is kept. */
  keep_home: optional(z.boolean()),
  /** The facts of hosts to keep from Ansible runs, such as `kernel` or `default_ipv4.address`. */
  host_facts: initially(factNames, []),
  /** The default of its templates: an execution environment of the project or the installation. */
  execution_environment_id: using('execution_environment.use', optionalId),
  /** Empty for a normal project; the console shows no resources of others. */
  type: optional(optionalLine(20)),
  /** Whether to create the demo: a repository, an inventory and working templates. */
  demo: optional(z.boolean()),
});
export type NewProject = z.output<typeof newProject>;

export const projectChange = newProject.omit({ demo: true }).extend({
  /** Bodies may repeat the id of the path. */
  id: optional(id),
});
export type ProjectChange = z.output<typeof projectChange>;

/** A role of members, and its permissions as a bit mask. */
export const roleInfo = z.object({
  slug: z.string(),
  name: z.string(),
  permissions: z.number().int(),
});

const memberRole = z.object({ role: z.string(), permissions: z.number().int() });

const memberRights = z.object({
  /** The slug of a built-in role or of one's own; empty for an administrator who is no member. */
  role: z.string(),
  /** English for a built-in role. */
  role_name: z.string(),
  rights: z.array(z.enum(rightNames)),
  /** Whether something of the project is restricted. */
  restricted: z.boolean(),
  /** The objects about which the role alone does not decide, with the rights on each. */
  objects: z.array(
    z.object({
      object_type: z.enum(grantedTypes),
      object_id: id,
      rights: z.array(z.enum(rightNames)),
    }),
  ),
});

export const projects = {
  list: endpoint.get('/api/projects', {
    permission: 'user',
    projectTokens: true,
    summary: 'The projects of the caller by name; all projects for an administrator',
    reply: z.array(project),
  }),
  create: endpoint.post('/api/projects', {
    permission: 'create_project',
    summary: 'Create a project, with the caller as its owner',
    body: newProject,
    reply: project,
    status: 201,
  }),
  one: endpoint.get('/api/project/:project_id', {
    permission: 'member',
    summary: 'One project',
    reply: project,
    versioned: true,
  }),
  update: endpoint.put('/api/project/:project_id', {
    permission: 'project.edit',
    summary: 'Change a project',
    body: projectChange,
    kept: ['max_parallel_tasks', 'runner_tags', 'execution_environment_id'],
    versioned: true,
    refuses: ['alert.restricted'],
  }),
  remove: endpoint.delete('/api/project/:project_id', {
    permission: 'project.delete',
    summary: 'Delete a project with all that is in it; refused while it has unfinished tasks',
    refuses: ['project.unfinished_tasks', 'request.stale'],
  }),
  roles: endpoint.get('/api/project/:project_id/roles/all', {
    permission: 'member',
    forOthers: true,
    summary: 'The roles that members of the project can have',
    reply: z.array(roleInfo),
  }),
  role: endpoint.get('/api/project/:project_id/role', {
    permission: 'member',
    summary: "The caller's role in the project and what it allows, as a bit mask",
    reply: memberRole,
  }),
  rights: endpoint.get('/api/project/:project_id/rights', {
    permission: 'member',
    summary: "The caller's role in the project and its rights",
    reply: memberRights,
  }),
};
