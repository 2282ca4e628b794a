import type { Role } from '#shared/permissions.ts';
import type { Db } from '../db/open.ts';
import { insertMember } from './members.store.ts';

export async function addMember(
  db: Db,
  projectId: number,
  userId: number,
  role: Role,
): Promise<void> {
  await insertMember(db, projectId, userId, role);
}
