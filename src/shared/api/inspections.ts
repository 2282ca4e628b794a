// Inspections: short questions for which a runner starts a program or looks at what it keeps.

import { z } from 'zod';
import { appKinds } from '../apps.ts';
import { id } from '../fields.ts';
import { inventoryPreview } from './inventories.ts';
import { takenState, toldStates } from './kept-states.ts';
import { repositoryBranches, repositoryFiles } from './repositories.ts';
import { commitHash, commitRange } from './task-changes.ts';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * An inspection that somebody waits for. The runner beside the server executes it and answers in seconds; inspections
 * at states are executed by the runner that keeps them.
 */
const inspection = z.discriminatedUnion('kind', [
  /** The branches of a repository. */
  z.object({ kind: z.literal('branches'), project_id: id, url: z.string() }),
  /** The files of a branch that an app of a kind could run. */
  z.object({
    kind: z.literal('files'),
    project_id: id,
    repository_id: id,
    url: z.string(),
    branch: z.string(),
    app_kind: z.enum(appKinds),
  }),
  /** The newest commit of a branch or tag, or of HEAD if the branch is empty. */
  z.object({ kind: z.literal('head'), project_id: id, url: z.string(), branch: z.string() }),
  /** The commits between two commits of a repository. */
  z.object({
    kind: z.literal('commits'),
    project_id: id,
    repository_id: id,
    url: z.string(),
    before: commitHash,
    after: commitHash,
  }),
  /** How Ansible reads the text of an inventory. */
  z.object({
    kind: z.literal('inventory'),
    type: z.enum(['static', 'static-yaml']),
    inventory: z.string(),
  }),
  /** Whether OpenSSH loads the key that comes with the inspection. */
  z.object({ kind: z.literal('key') }),
  /** Makes the repository of a demo project. */
  z.object({ kind: z.literal('demo_repository'), name: z.string() }),
  /** The states of Terraform of a template, or with null those in use of the whole project. */
  z.object({ kind: z.literal('states'), project_id: id, template_id: id.nullable() }),
  /** Puts a state in the place of the one in use. */
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
  /** The milliseconds that the inspection may take. */
  time: count,
  /** The keys for the repository, or the key that is looked at, sealed like the secrets of a task; null if it needs none. */
  sealed: z.string().nullable(),
});
export type InspectionRequest = z.output<typeof inspectionRequest>;

/** Why OpenSSH does not load a private key; `format`: OpenSSL reads it with its passphrase, and OpenSSH does not. */
const keyDefects = ['passphrase_missing', 'passphrase_wrong', 'format', 'unreadable'] as const;
export type KeyDefect = (typeof keyDefects)[number];

/** The result of an inspection; `failed` with the reason. */
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
