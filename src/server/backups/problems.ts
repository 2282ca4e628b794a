import type { FieldCode } from '#shared/catalogue/field-errors.ts';
import type { FieldError } from '#shared/errors.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Finding } from '#shared/field-errors.ts';
import { failFields, fieldError } from '../lib/errors.ts';

// At this number the backup is refused at once.
const MAX_PROBLEMS = 100;

/** `template_ids.0` of a use case is `templates.0` in a backup. */
const asInBackup = (path: string): string => path.replace(/_id(s?)(?=\.|$)/g, '$1');

export interface BackupPath {
  path: string;
  /** Whether `path` is a scalar without fields. */
  isOneField?: boolean;
  /** Fields with a wrong type, whose further errors are not reported. */
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

  /** Adds findings of the schema of new resources. */
  addRefusals({ path: place, isOneField = false, wrong }: BackupPath, findings: Finding[]): void {
    for (const { path, code, params } of findings) {
      const inner = asInBackup(path);
      if (wrong.has(inner.split('.')[0] ?? '')) continue;
      this.add(path === '' || isOneField ? place : `${place}.${inner}`, code, params);
    }
  }

  /** Null without problems. */
  get first(): FieldError | null {
    return this.#list[0] ?? null;
  }

  refuse(): void {
    if (this.#list.length > 0) throw failFields(...this.#list);
  }
}
