import type { SecretChange } from '#shared/api/environments.ts';
import type { FieldCode } from '#shared/catalogue/field-errors.ts';
import type { FieldError } from '#shared/errors.ts';
import { failFields, fieldError } from '../../lib/errors.ts';
import type { SealedSecret } from './environments.store.ts';

export type NamedSecret = Pick<SealedSecret, 'id' | 'type' | 'name'>;

/** Without id it is new; without value it keeps its value. */
export interface WrittenSecret extends Omit<NamedSecret, 'id'> {
  id: number | null;
  value: string;
}

export interface SecretPlan {
  /** The ids of removed and replaced secrets. */
  removed: number[];
  written: WrittenSecret[];
}

// Valid names of environment variables.
const processName = /^[A-Za-z_]\w*$/;

/** Plans the changes of secrets. Refuses invalid ones, with the field of each. */
export function planSecrets(known: NamedSecret[], changes: SecretChange[]): SecretPlan {
  const errors: FieldError[] = [];
  const removed = new Set<number>();
  const written: (WrittenSecret & { index: number })[] = [];
  for (const [index, change] of changes.entries()) {
    const refuse = (field: string, code: FieldCode): void => {
      errors.push(fieldError(`secrets.${index}.${field}`, code));
    };
    const { operation } = change;
    const existing = operation === 'create' ? null : findExisting(known, removed, change, refuse);
    if (existing === undefined || operation === '') continue;
    if (existing) removed.add(existing.id);
    if (operation === 'delete') continue;
    const secret = toWritten(existing, change, refuse);
    if (secret) written.push({ ...secret, index });
  }
  const kept = known.filter(({ id }) => !removed.has(id));
  const names = new Set(kept.map(nameOf));
  for (const secret of written) {
    if (names.has(nameOf(secret))) {
      errors.push(fieldError(`secrets.${secret.index}.name`, 'environment.secret_repeated'));
    }
    names.add(nameOf(secret));
  }
  if (errors.length > 0) throw failFields(...errors);
  return { removed: [...removed], written: written.map(({ index: _index, ...one }) => one) };
}

const nameOf = ({ type, name }: Pick<NamedSecret, 'type' | 'name'>): string => `${type}.${name}`;

type Refuse = (field: string, code: FieldCode) => void;

/** Undefined if there is none, which is refused. */
function findExisting(
  known: NamedSecret[],
  taken: Set<number>,
  { id }: SecretChange,
  refuse: Refuse,
): NamedSecret | undefined {
  const found = taken.has(id ?? 0) ? undefined : known.find((secret) => secret.id === id);
  if (!found) refuse('id', id === null ? 'field.required' : 'field.reference');
  return found;
}

function toWritten(
  existing: NamedSecret | null,
  { type: newType, name: newName, secret: value }: SecretChange,
  refuse: Refuse,
): WrittenSecret | null {
  const before: Omit<NamedSecret, 'name'> & { name: string | null } = existing ?? none;
  const type = newType ?? before.type;
  const name = newName ?? before.name;
  if (!existing && value === '') refuse('secret', 'field.required');
  if (name === null) refuse('name', 'name.required');
  else if (type === 'env' && !processName.test(name)) refuse('name', 'environment.variable_name');
  return name === null ? null : { id: existing && existing.id, type, name, value };
}

const none = { id: 0, type: 'var', name: null } as const;
