// What decides who may do what in a project, as the gate of requests and of websockets needs it.

import type { Right } from '#shared/rights.ts';
import type { Db } from '../../db/open.ts';
import { findGoverning } from '../../db/rights/governing.store.ts';
import { loadObjectRights } from '../../db/rights/object-rights.store.ts';
import { findGivers, findRole, findScope } from './members.ts';

type Member = Parameters<typeof loadObjectRights>[1];
type Governed = Parameters<typeof findGoverning>[2];

export const openProjectGate = (db: Db) => ({
  roleIn: (userId: number, projectId: number) => findRole(db, projectId, userId),
  objectsOf: (member: Member) => loadObjectRights(db, member),
  governing: (projectId: number, thing: Governed) => findGoverning(db, projectId, thing),
  giversOf: (projectId: number, right: Right) => findGivers(db, projectId, right),
  scopeOf: (userId: number) => findScope(db, userId),
});
