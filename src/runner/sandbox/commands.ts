// The commands of the sandboxed program that parses untrusted files and texts, and their results.

import type { RunPlan } from '#shared/api/task-plan.ts';
import type { InventoryPreview } from '#shared/api/inventories.ts';
import type { NotedBackend, StateContent } from './terraform-files.ts';

export interface FilePlace {
  root: string;
  path: string;
}

export type SandboxCommand =
  | { about: 'files'; user: UserIds | null; files: (FilePlace & { as: 'text' | 'requirements' })[] }
  /** The file in which `init` of Terraform records the backend. */
  | { about: 'backend'; user: UserIds | null; file: FilePlace }
  | { about: 'states'; user: UserIds | null; files: FilePlace[] }
  | { about: 'inventory'; user: null; text: string }
  /** The output of `terraform show -json`. */
  | { about: 'plan'; user: null; text: string }
  /** A private key, to check whether OpenSSL can read it. */
  | { about: 'key'; user: null; text: string; passphrase: string };

interface UserIds {
  uid: number;
  gid: number;
}

export interface ReadFile {
  text: string;
  /** The kinds in a file of requirements; empty for other files. */
  asksFor: Requirement[];
  /** The states of local files of the requirements outside of the checkout; null: no source is a local file. */
  localSources: string[] | null;
}

export type Requirement = 'collection' | 'role';

/** Null: the file does not exist. */
export type FileResult = ReadFile | { refused: string } | null;

/** `backend` null: none is recorded. */
export type BackendResult = { backend: NotedBackend | null } | { refused: string };

export interface SandboxResults {
  files: FileResult[];
  backend: BackendResult;
  /** In the order of the files. */
  states: StateContent[];
  inventory: Omit<InventoryPreview, 'messages'>;
  /** Null: not a plan in a known format. */
  plan: RunPlan | null;
  /** Whether OpenSSL can read the key with the passphrase. */
  key: boolean;
}
