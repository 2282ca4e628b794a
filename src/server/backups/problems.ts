// What is wrong with a backup, by its place in the file.

import type { FieldCode, FieldError, Params } from '#shared/errors.ts';
import type { Finding } from '#shared/field-errors.ts';
import { failFields, fieldError } from '../errors.ts';

// More than anybody reads.
const most = 100;

/** A field of a use case, as it is called in a backup: `template_ids.0` is `templates.0` there. */
const asInBackup = (path: string): string => path.replace(/_id(s?)(?=\.|$)/g, '$1');

/** Where a thing is in a backup. */
export interface Place {
  path: string;
  /** What `path` names is all of it, and has no fields of its own. */
  isOneField?: boolean;
  /** Fields whose type is wrong: no more is said of them. */
  wrong: Set<string>;
}

export class Problems {
  readonly #list: FieldError[] = [];

  add(path: string, code: FieldCode, params?: Params): void {
    if (this.#list.length < most) this.#list.push(fieldError(path, code, params));
  }

  addFindings(place: string, findings: Finding[]): void {
    for (const { path, code, params } of findings) {
      this.add(path === '' ? place : `${place}.${path}`, code, params);
    }
  }

  /** What the rules for new things say of one. */
  addRefusals({ path: place, isOneField = false, wrong }: Place, findings: Finding[]): void {
    for (const { path, code, params } of findings) {
      const inner = asInBackup(path);
      if (wrong.has(inner.split('.')[0] ?? '')) continue;
      this.add(path === '' || isOneField ? place : `${place}.${inner}`, code, params);
    }
  }

  /** Refuses the backup if anything is wrong with it. */
  refuse(): void {
    if (this.#list.length > 0) throw failFields(...this.#list);
  }
}
