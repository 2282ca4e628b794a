// The errors of a backup, by their place in the document.

import type { FieldCode } from '#shared/catalogue/field-errors.ts';
import type { FieldError } from '#shared/errors.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Finding } from '#shared/field-errors.ts';
import { failFields, fieldError } from '../lib/errors.ts';

// More errors than anybody reads at once: with the last of them a backup is refused, and not read on.
const MAX_PROBLEMS = 100;

/** The name of a field in a backup: `template_ids.0` of a use case is `templates.0` there. */
const asInBackup = (path: string): string => path.replace(/_id(s?)(?=\.|$)/g, '$1');

/** The place of a resource in a backup. */
export interface BackupPath {
  path: string;
  /** Whether `path` names a whole value, which has no fields. */
  isOneField?: boolean;
  /** Fields with a wrong type, for which no further errors are reported. */
  wrong: Set<string>;
}

export class Problems {
  readonly #list: FieldError[] = [];

  add(path: string, code: FieldCode, params?: Params): void {
    this.#list.push(fieldError(path, code, params));
    if (this.#list.length >= MAX_PROBLEMS) this.refuse();
  }

  addFindings(place: string, findings: Finding[]): void {
    for (const { path, code, params } of findings) {
      this.add(path === '' ? place : `${place}.${path}`, code, params);
    }
  }

  /** Adds the errors that the rules for new resources find. */
  addRefusals({ path: place, isOneField = false, wrong }: BackupPath, findings: Finding[]): void {
    for (const { path, code, params } of findings) {
      const inner = asInBackup(path);
      if (wrong.has(inner.split('.')[0] ?? '')) continue;
      this.add(path === '' || isOneField ? place : `${place}.${inner}`, code, params);
    }
  }

  /** Null: there is none. */
  get first(): FieldError | null {
    return this.#list[0] ?? null;
  }

  /** Refuses the backup if it has any error. */
  refuse(): void {
    if (this.#list.length > 0) throw failFields(...this.#list);
  }
}
