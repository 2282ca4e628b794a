import { groupRules, identity } from '#shared/api/identity.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [groupRules.list];

export const identityQueries = {
  providers: () => query(identity.providers),
  rules: () => query(groupRules.list),
};
export const createRule = () => send(groupRules.create, { refresh });
export const updateRule = () => send(groupRules.update, { refresh });
export const deleteRule = () => send(groupRules.remove, { refresh });
export const tryClaims = () => send(identity.try);
