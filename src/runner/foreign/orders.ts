// What the server asks of the program that reads foreign files and texts for it, and its answers.

import type { InventoryPreview } from '#shared/api/inventories.ts';

/** A file inside a folder. */
export interface FilePlace {
  root: string;
  path: string;
}

export type Order =
  | { about: 'files'; user: UserIds | null; files: (FilePlace & { as: 'text' | 'requirements' })[] }
  | { about: 'terraform'; user: UserIds | null; folder: FilePlace }
  | { about: 'inventory'; user: null; text: string };

interface UserIds {
  uid: number;
  gid: number;
}

export interface ReadFile {
  text: string;
  /** Of a file of requirements: what it asks for. */
  asksFor: Requirement[];
}

export type Requirement = 'collection' | 'role';

/** Null: there is no such file. */
export type FileAnswer = ReadFile | { refused: string } | null;

export interface TerraformAnswer {
  /** Whether one of the files that could be read says where the state is kept. */
  hasBackend: boolean;
  refused: { name: string; why: string }[];
}

export interface Answers {
  files: FileAnswer[];
  terraform: TerraformAnswer;
  inventory: Omit<InventoryPreview, 'messages'>;
}
