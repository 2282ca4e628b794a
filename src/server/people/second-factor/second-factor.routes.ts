import { secondFactor } from '#shared/api/second-factor.ts';
import { users } from '#shared/api/users.ts';
import type { Http } from '../../http/serve.ts';
import {
  confirmSecondFactor,
  removeOwnSecondFactor,
  removeSecondFactorOf,
  renewRecoveryCodes,
  getSecondFactor,
  startSecondFactor,
} from './second-factor.ts';

export function secondFactorRoutes(http: Http): void {
  http.serve(secondFactor.state, ({ ctx, actor }) => getSecondFactor(ctx, actor));
  http.serve(secondFactor.start, ({ ctx, actor }) => startSecondFactor(ctx, actor));
  http.serve(secondFactor.confirm, ({ ctx, actor, body }) => confirmSecondFactor(ctx, actor, body));
  http.serve(secondFactor.remove, ({ ctx, actor, body }) =>
    removeOwnSecondFactor(ctx, actor, body),
  );
  http.serve(secondFactor.renewCodes, ({ ctx, actor, body }) =>
    renewRecoveryCodes(ctx, actor, body),
  );
  http.serve(users.removeSecondFactor, ({ ctx, actor, id }) =>
    removeSecondFactorOf(ctx, actor, id),
  );
}
