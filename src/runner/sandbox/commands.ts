// The commands of the sandboxed program that parses untrusted files and texts, and their results.

import type { RunPlan } from '#shared/api/task-plan.ts';
import type { InventoryPreview } from '#shared/api/inventories.ts';
import type { NotedBackend, StateContent } from './terraform-files.ts';

/** A file inside a folder. */
export interface FilePlace {
  root: string;
  path: string;
}

export type SandboxCommand =
  | { about: 'files'; user: UserIds | null; files: (FilePlace & { as: 'text' | 'requirements' })[] }
  /** The file in which `init` of Terraform notes the backend. */
  | { about: 'backend'; user: UserIds | null; file: FilePlace }
  | { about: 'states'; user: UserIds | null; files: FilePlace[] }
  | { about: 'inventory'; user: null; text: string }
  /** The text of `terraform show -json`. */
  | { about: 'plan'; user: null; text: string }
  /** A private key, of which OpenSSL is asked whether it can read it. */
  | { about: 'key'; user: null; text: string; passphrase: string };

interface UserIds {
  uid: number;
  gid: number;
}

export interface ReadFile {
  text: string;
  /** What a file of requirements asks for; empty for other files. */
  asksFor: Requirement[];
  /**
   * Whether the requirements name local files, in the checkout or outside: null if they do not, else
   * the state of those outside, as far as it can be seen.
   */
  localSources: string[] | null;
}

export type Requirement = 'collection' | 'role';

/** Null: there is no such file. */
export type FileResult = ReadFile | { refused: string } | null;

/** `backend` is null if none is noted. */
export type BackendResult = { backend: NotedBackend | null } | { refused: string };

export interface SandboxResults {
  files: FileResult[];
  backend: BackendResult;
  /** In the order of the files. */
  states: StateContent[];
  inventory: Omit<InventoryPreview, 'messages'>;
  /** Null: it is not a plan in a known format. */
  plan: RunPlan | null;
  /** Whether OpenSSL reads it with the passphrase. */
  key: boolean;
}
