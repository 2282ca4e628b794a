// Inspections: short requests for which a runner starts a program or reads its data folder.

import { z } from 'zod';
import { appKinds } from '../apps.ts';
import { id } from '../fields.ts';
import { inventoryPreview } from './inventories.ts';
import { takenState, toldStates } from './kept-states.ts';
import { repositoryBranches, repositoryFiles } from './repositories.ts';
import { commitHash, commitRange } from './task-changes.ts';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Executed within seconds by the runner beside the server; those of states by the runner that keeps them. */
const inspection = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('branches'), project_id: id, url: z.string() }),
  /** The files of a branch that apps of a kind could run. */
  z.object({
    kind: z.literal('files'),
    project_id: id,
    repository_id: id,
    url: z.string(),
    branch: z.string(),
    app_kind: z.enum(appKinds),
  }),
  /** The newest commit of a branch or tag; of HEAD if the branch is empty. */
  z.object({ kind: z.literal('head'), project_id: id, url: z.string(), branch: z.string() }),
  z.object({
    kind: z.literal('commits'),
    project_id: id,
    repository_id: id,
    url: z.string(),
    before: commitHash,
    after: commitHash,
  }),
  /** The hosts and groups in the text of an inventory. */
  z.object({
    kind: z.literal('inventory'),
    type: z.enum(['static', 'static-yaml']),
    inventory: z.string(),
  }),
  /** Whether OpenSSH can load the sealed key. */
  z.object({ kind: z.literal('key') }),
  /** Creates the repository of a demo project. */
  z.object({ kind: z.literal('demo_repository'), name: z.string() }),
  /** The Terraform states of a template, or with null those in use of the whole project. */
  z.object({ kind: z.literal('states'), project_id: id, template_id: id.nullable() }),
  /** Replaces the state in use. */
  z.object({
    kind: z.literal('take_state'),
    project_id: id,
    template_id: id,
    is: z.enum(['copy', 'aside']),
    name: z.string(),
    workspace: z.string(),
  }),
]);
export type Inspection = z.output<typeof inspection>;

export const inspectionRequest = z.object({
  look_id: id,
  look: inspection,
  /** The time limit in milliseconds. */
  time: count,
  /** The keys for the repository, or the inspected key, sealed like the secrets of a task; null: none. */
  sealed: z.string().nullable(),
});
export type InspectionRequest = z.output<typeof inspectionRequest>;

/** Why OpenSSH cannot load a private key; `format`: OpenSSL can read it with its passphrase, but OpenSSH cannot. */
const keyDefects = ['passphrase_missing', 'passphrase_wrong', 'format', 'unreadable'] as const;
export type KeyDefect = (typeof keyDefects)[number];

export const inspectionResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('branches'), seen: repositoryBranches }),
  z.object({
    kind: z.literal('files'),
    seen: repositoryFiles.extend({ failure: z.string().nullable() }),
  }),
  z.object({ kind: z.literal('head'), seen: z.string().nullable() }),
  z.object({ kind: z.literal('commits'), seen: commitRange.nullable() }),
  z.object({ kind: z.literal('inventory'), seen: inventoryPreview }),
  z.object({ kind: z.literal('key'), seen: z.enum(keyDefects).nullable() }),
  z.object({ kind: z.literal('demo_repository'), seen: z.string() }),
  z.object({ kind: z.literal('states'), seen: toldStates }),
  z.object({ kind: z.literal('take_state'), seen: takenState }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);
export type InspectionResult = z.output<typeof inspectionResult>;
