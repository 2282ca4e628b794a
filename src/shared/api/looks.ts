// Looks: short questions for which a runner starts a program or looks at what it keeps.

import { z } from 'zod';
import { appKinds } from '../apps.ts';
import { id } from '../fields.ts';
import { inventoryPreview } from './inventories.ts';
import { takenState, toldStates } from './kept-states.ts';
import { repositoryBranches, repositoryFiles } from './repositories.ts';
import { commitHash, commitRange } from './task-changes.ts';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * A look that somebody waits for. The runner beside the server executes it and answers in seconds; looks
 * at states are executed by the runner that keeps them.
 */
const look = z.discriminatedUnion('kind', [
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
  /** Whether OpenSSH loads the key that comes with the look. */
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
export type Look = z.output<typeof look>;

export const askedLook = z.object({
  look_id: id,
  look,
  /** The milliseconds that the look may take. */
  time: count,
  /** The keys for the repository, or the key that is looked at, sealed like the secrets of a task; null if it needs none. */
  sealed: z.string().nullable(),
});
export type AskedLook = z.output<typeof askedLook>;

/** Why OpenSSH does not load a private key; `format`: OpenSSL reads it with its passphrase, and OpenSSH does not. */
const keyDefects = ['passphrase_missing', 'passphrase_wrong', 'format', 'unreadable'] as const;
export type KeyDefect = (typeof keyDefects)[number];

/** The result of a look; `failed` with the reason. */
export const seen = z.discriminatedUnion('kind', [
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
export type Seen = z.output<typeof seen>;
