// The inspections that people and schedules request from the runner beside this server.

import type { FieldCode } from '#shared/catalogue/field-errors.ts';
import type { InventoryPreview, InventoryText } from '#shared/api/inventories.ts';
import type { KeyFields } from '#shared/api/keys.ts';
import type { KeyDefect } from '#shared/api/runner-api.ts';
import type {
  Repository,
  RepositoryAccess,
  RepositoryBranches,
  RepositoryFiles,
} from '#shared/api/repositories.ts';
import type { HealthState } from '#shared/api/system.ts';
import type { AppKind } from '#shared/apps.ts';
import { noGitKeys, type GitKeys } from '../../runner/api/run-secrets.ts';
import { isInstalled } from '../../node/process/installed-programs.ts';
import type { Context } from '../context/context.ts';
import { fail, failFields, fieldError } from '../lib/errors.ts';
import { openHostConfigs } from '../resources/host-configs/host-configs.ts';
import { openKey } from '../resources/keys/keys.ts';
import { recordLook } from '../resources/repositories/repositories.ts';
import type { FindCommits } from '../automation/tasks/changes/changed-commits.ts';
import type { FindHead } from '../automation/schedules/firing.ts';
import {
  type InspectionUser,
  INSPECTION_TIMEOUT_MS,
  type InspectionQueue,
} from './inspection-queue.ts';

const askerOf = ({ by }: Context, projectId: number): InspectionUser => ({
  userId: by.userId,
  projectId,
});

/** The key of a repository and those by host. Throws when the key of the repository cannot be used. */
const openGitKeys = async (ctx: Context, projectId: number, keyId: number): Promise<GitKeys> => ({
  own: await openKey(ctx, projectId, keyId),
  byHost: await openHostConfigs(ctx, projectId),
});

/** Lists the branches of a repository with a key, before the repository is saved. */
export async function listBranches(
  ctx: Context,
  inspections: InspectionQueue,
  { projectId, ...access }: RepositoryAccess & { projectId: number },
  time = INSPECTION_TIMEOUT_MS,
): Promise<RepositoryBranches> {
  const { git_url: url, ssh_key_id: keyId } = access;
  await recordLook(ctx, projectId, access);
  const keys = await openGitKeys(ctx, projectId, keyId).catch((error: Error) => error);
  if (keys instanceof Error) return { branches: [], head: null, failure: keys.message };
  return inspections.ask({ kind: 'branches', project_id: projectId, url }, keys, {
    time,
    asker: askerOf(ctx, projectId),
  });
}

interface WantedFiles {
  repository: Repository;
  branch: string;
  kind: AppKind;
}

/** Lists the files in a branch of a repository that a template could run. */
async function listFiles(
  ctx: Context,
  inspections: InspectionQueue,
  { repository, branch, kind }: WantedFiles,
): Promise<RepositoryFiles> {
  const { id, project_id, git_url: url, ssh_key_id: keyId } = repository;
  const keys = await openGitKeys(ctx, project_id, keyId).catch((error: Error) => error);
  if (keys instanceof Error) throw fail('repository.unreachable', { reason: keys.message });
  const asked = { project_id, repository_id: id, url, branch, app_kind: kind };
  const { failure, ...files } = await inspections.ask({ kind: 'files', ...asked }, keys, {
    asker: askerOf(ctx, project_id),
  });
  if (failure !== null) throw fail('repository.unreachable', { reason: failure });
  return files;
}

export const repositoryInspections = (inspections: InspectionQueue) => ({
  listBranches: (ctx: Context, projectId: number, access: RepositoryAccess) =>
    listBranches(ctx, inspections, { projectId, ...access }),
  listFiles: (ctx: Context, wanted: WantedFiles) => listFiles(ctx, inspections, wanted),
});

export async function previewInventory(
  ctx: Context,
  inspections: InspectionQueue,
  { projectId, ...text }: InventoryText & { projectId: number },
  time = INSPECTION_TIMEOUT_MS,
): Promise<InventoryPreview> {
  if (!isInstalled(ctx.config, 'ansible-inventory')) {
    throw fail('inventory.preview_unavailable');
  }
  return inspections.ask({ kind: 'inventory', ...text }, noGitKeys, {
    time,
    asker: askerOf(ctx, projectId),
  });
}

// Short, because a person waits for the form to be saved.
const keyTimeMs = 10_000;

const defectFields: Record<KeyDefect, [path: string, code: FieldCode]> = {
  passphrase_missing: ['ssh.passphrase', 'key.passphrase_required'],
  passphrase_wrong: ['ssh.passphrase', 'key.passphrase_wrong'],
  format: ['ssh.private_key', 'key.private_key_format'],
  unreadable: ['ssh.private_key', 'key.private_key_unreadable'],
};

/**
 * Refuses an ssh key that OpenSSH does not load. Without a validation, for example because OpenSSH is not
 * installed, the key is accepted.
 */
export async function checkKey(
  { inspections, health }: { inspections: InspectionQueue; health: { runner: HealthState } },
  ctx: Context,
  projectId: number,
  { type, ssh }: KeyFields,
): Promise<void> {
  const canValidate = health.runner === 'ok' && isInstalled(ctx.config, 'ssh-add');
  if (type !== 'ssh' || !ssh || !canValidate) return;
  const options = { time: keyTimeMs, asker: askerOf(ctx, projectId) };
  const defect = await inspections
    .ask({ kind: 'key' }, { own: { type, ...ssh }, byHost: [] }, options)
    .catch((error: unknown) => {
      ctx.log.info({ err: error, projectId }, 'ssh key saved without validation');
      return null;
    });
  if (defect) throw failFields(fieldError(...defectFields[defect]));
}

// Shorter than other inspections, because the page waits for its other changes too.
const commitsTimeMs = 8_000;

/** The commits between two commits of a repository; null: the inspection failed. */
export const listCommits =
  (inspections: InspectionQueue): FindCommits =>
  async (ctx, { projectId, repository, before, after }) => {
    const { id, git_url: url, ssh_key_id: keyId } = repository;
    // Without its key, as when that was deleted, the mirror may still have the commits.
    const keys = await openGitKeys(ctx, projectId, keyId).catch(() => noGitKeys);
    const asked = { project_id: projectId, repository_id: id, url, before, after };
    const inspection = { kind: 'commits', ...asked } as const;
    try {
      return await inspections.ask(inspection, keys, {
        time: commitsTimeMs,
        asker: askerOf(ctx, projectId),
      });
    } catch (error) {
      ctx.log.info({ err: error, repositoryId: id }, 'the commits between two tasks are not known');
      return null;
    }
  };

// The schedule's own signal fires before this.
const MAX_HEAD_MS = 600_000;

/** Finds the newest commit of a branch, for schedules. */
export const findHead =
  (inspections: InspectionQueue): FindHead =>
  async (ctx, { projectId, repository, branch }, signal) => {
    const keys = await openGitKeys(ctx, projectId, repository.ssh_key_id);
    const { git_url: url } = repository;
    const inspection = { kind: 'head', project_id: projectId, url, branch } as const;
    return inspections.ask(inspection, keys, { time: MAX_HEAD_MS, signal });
  };

/** Makes the repository of a demo project; returns its path. */
export const makeDemoRepository = (inspections: InspectionQueue, name: string): Promise<string> =>
  inspections.ask({ kind: 'demo_repository', name }, noGitKeys);
