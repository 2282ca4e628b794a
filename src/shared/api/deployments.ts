// Which version of a build is where, as the deploy templates of the build have deployed it.

import { z } from 'zod';
import { id, time } from '../fields.ts';
import { taskStatuses } from '../task-status.ts';
import { launcher } from './launcher.ts';

export const MAX_DEPLOY_TEMPLATES = 100;
/** Of a deploy or build template, without dry runs. */
export const MAX_DEPLOY_TASKS = 20;

const deployedBuild = z.object({
  /** Of the build. */
  task_id: id,
  /** Null: its template had no versions. */
  version: z.string().nullable(),
  end: time.nullable(),
});

const deployAttempt = z.object({
  build_task_id: id,
  /** The newest deploy of this build. */
  task_id: id,
  status: z.enum(taskStatuses),
  created: time,
  end: time.nullable(),
});

const currentDeploy = z.object({
  build_task_id: id,
  /** The newest successful deploy. */
  task_id: id,
  /** The end of the first of the last successful deploys, if these deployed the same build. */
  since: time,
  user_name: z.string().nullable(),
  launcher: launcher.nullable(),
});

const deployTarget = z.object({
  template_id: id,
  name: z.string(),
  /** The name of its first environment. */
  environment: z.string().nullable(),
  /** What is deployed now; null: no deploy was successful. */
  current: currentDeploy.nullable(),
  attempts: z.array(deployAttempt),
});
export type DeployTarget = z.output<typeof deployTarget>;

export const deployBoard = z.object({
  /** Of the build template. */
  template_id: id,
  name: z.string(),
  /** The newest first: the newest successful builds, and those that were deployed. */
  builds: z.array(deployedBuild),
  /** The deploy templates of these builds, and those that deploy what another one has deployed. */
  targets: z.array(deployTarget),
});
export type DeployBoard = z.output<typeof deployBoard>;
