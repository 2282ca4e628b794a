// Who may do what with an object, and what a person may do with each: with the reasons.

import type { ObjectAccess, PersonAccess } from '#shared/api/grants.ts';
import { rightsAbout, type GrantedType } from '#shared/grants/granted-types.ts';
import { allRights, rightNames, type Rights } from '#shared/rights.ts';
import type { Context } from '../../context/context.ts';
import type { HeldGrant, ObjectRef, ObjectRights } from '../../db/rights/object-rights.ts';
import { loadObjectRights, loadRightsOn } from '../../db/rights/object-rights.store.ts';
import { fail } from '../../lib/errors.ts';
import { requireGiving, type GrantGiver } from './grants.ts';
import { listRightsOfMembers } from '../members/members.ts';
import { listAdministrators, listNamed } from './who-may.store.ts';

type Through = PersonAccess['through'];

const inOrder = (type: GrantedType, rights: Rights) => {
  const about = rightsAbout(type, rights);
  return rightNames.filter((right) => about.has(right));
};

const byGrant = ({ id, role, roleName, limits }: HeldGrant): Through[number] => ({
  kind: 'grant',
  role,
  role_name: roleName,
  grant_id: id,
  limits,
});

interface Holder {
  role: string;
  roleName: string;
  objects: ObjectRights;
}

/** Whether the role in the project counts for the object, and the grants on it. */
function reasonsOf({ role, roleName, objects }: Holder, object: ObjectRef): Through {
  const ofRole = {
    kind: 'role',
    role,
    role_name: roleName,
    grant_id: null,
    limits: null,
  } as const;
  return [
    ...(objects.isOpen(object) && objects.ofRole.size > 0 ? [ofRole] : []),
    ...objects.grantsOn(object).map(byGrant),
  ];
}

export async function whoMay(
  ctx: Context,
  projectId: number,
  object: ObjectRef,
  giver: GrantGiver,
): Promise<PersonAccess[]> {
  await requireGiving(ctx, projectId, object, giver);
  const members = await listRightsOfMembers(ctx.db, projectId);
  const objectsOf = await loadRightsOn(ctx.db, projectId, object);
  const people = members.flatMap((member) => {
    const objects = objectsOf(member.userId, member.rights);
    if (!objects.sees(object)) return [];
    return {
      user_id: member.userId,
      username: member.username,
      user_name: member.userName,
      rights: inOrder(object.type, objects.on(object)),
      through: reasonsOf({ ...member, objects }, object),
    };
  });
  const administrators = (await listAdministrators(ctx.db)).map((one) => ({
    user_id: one.id,
    username: one.username,
    user_name: one.name,
    rights: inOrder(object.type, allRights),
    through: [
      { kind: 'administrator', role: '', role_name: '', grant_id: null, limits: null } as const,
    ],
  }));
  const isOther = ({ user_id: id }: { user_id: number }): boolean =>
    administrators.every((one) => one.user_id !== id);
  return [...people.filter(isOther), ...administrators];
}

export async function whatMay(
  ctx: Context,
  projectId: number,
  userId: number,
): Promise<ObjectAccess[]> {
  const members = await listRightsOfMembers(ctx.db, projectId);
  const member = members.find((one) => one.userId === userId);
  if (!member) throw fail('member.not_found');
  const ofMember = { projectId, userId, ofRole: member.rights };
  const objects = await loadObjectRights(ctx.db, ofMember);
  const holder = { ...member, objects };
  const named = await listNamed(ctx.db, projectId, objects.exceptions);
  return named.map(({ name, mode, ...object }) => ({
    object_type: object.type,
    object_id: object.id,
    object_name: name,
    mode,
    rights: inOrder(object.type, objects.on(object)),
    through: reasonsOf(holder, object),
  }));
}
