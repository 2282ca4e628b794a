import { secondFactor } from '#shared/api/second-factor.ts';
import { session } from '#shared/api/session.ts';
import { users } from '#shared/api/users.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [secondFactor.state, session.list, users.list];

export const secondFactorQueries = {
  state: () => query(secondFactor.state),
};
export const startSecondFactor = () => send(secondFactor.start);
export const confirmSecondFactor = () => send(secondFactor.confirm, { refresh });
export const removeSecondFactor = () => send(secondFactor.remove, { refresh });
export const renewRecoveryCodes = () => send(secondFactor.renewCodes, { refresh });
