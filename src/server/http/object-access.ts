// Checks the right of an endpoint on the object that its address or body names, for members of whom the role alone does
// not decide.

import type { Endpoint } from '#shared/api/endpoint.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import { isRight, type Right } from '#shared/rights.ts';
import { isGovernedNoun, typesFor, type GovernedNoun } from '../db/rights/governing.store.ts';
import { fail, lacksRight } from '../lib/errors.ts';
import { requireRight, type Access, type Gate } from './actor.ts';
import { usesRight } from './uses.ts';

interface Named {
  noun: GovernedNoun;
  id: number;
  /** The refusal of an address that does not exist. */
  missing: ErrorCode;
}

const known = new WeakMap<Endpoint, Omit<Named, 'id'>[]>();

/** What the address of an endpoint names. */
function namedBy(endpoint: Endpoint): Omit<Named, 'id'>[] {
  const before = known.get(endpoint);
  if (before) return before;
  const { shape } = endpoint.params as unknown as { shape: Record<string, Endpoint['params']> };
  const named = Object.entries(shape).flatMap(([param, schema]) => {
    const noun = param.replace(/_id$/, '');
    const missing = schema.meta()?.['missing'] as ErrorCode | undefined;
    return isGovernedNoun(noun) && missing ? [{ noun, missing }] : [];
  });
  known.set(endpoint, named);
  return named;
}

const bodyDecides = ({ ofObject, body }: Endpoint, right: Right): boolean =>
  ofObject || usesRight(body, right);

/** Throws unless the caller sees all that the address names, and has the right on the first of it. */
export async function checkObjects(
  endpoint: Endpoint,
  gate: Pick<Gate, 'governing'>,
  access: Access,
  params: Record<string, unknown>,
): Promise<Access> {
  const { permission } = endpoint;
  const right = isRight(permission) ? permission : null;
  const named = namedBy(endpoint);
  const isOfBody = right !== null && named.length === 0 && bodyDecides(endpoint, right);
  if (!access.objects || (named.length === 0 && !isOfBody)) return permitted(access, right);
  const objects = await access.objects();
  if (isOfBody) {
    if (!objects.hasAnywhere(right)) throw lacksRight(right);
    return access;
  }
  const rights = [];
  for (const { noun, missing } of named) {
    const id = Number(params[`${noun}_id`]);
    const object = await gate.governing(Number(params['project_id']), { noun, id });
    if (!object || !objects.sees(object)) {
      // As for an address that does not exist.
      if (right && objects.showsByRole(...typesFor(noun))) {
        requireRight({ rights: objects.ofRole }, right);
      }
      throw fail(missing as 'task.not_found');
    }
    rights.push(objects.on(object));
  }
  return permitted({ ...access, rights: rights[0] ?? access.rights }, right);
}

function permitted(access: Access, right: Right | null): Access {
  if (right) requireRight(access, right);
  return access;
}

/** Throws without the right on the template or workflow that something would start. */
export async function requireOnStarted(
  { rights, objects }: Pick<Access, 'rights' | 'objects'>,
  right: Right,
  { template_id: templateId, workflow_id: workflowId }: Started,
): Promise<void> {
  const loaded = await objects?.();
  const id = templateId ?? workflowId ?? 0;
  const object = { type: templateId === null ? 'workflow' : 'template', id } as const;
  requireRight({ rights: loaded && id > 0 ? loaded.on(object) : rights }, right);
}

interface Started {
  template_id: number | null;
  workflow_id: number | null;
}
