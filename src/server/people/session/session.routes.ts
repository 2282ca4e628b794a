import { session } from '#shared/api/session.ts';
import type { Http } from '../../http/serve.ts';
import { revokeOthers, revokeSession, getSessions } from './session.ts';

export function sessionRoutes(http: Http): void {
  http.serve(session.list, ({ ctx, actor }) => getSessions(ctx, actor));
  http.serve(session.revoke, ({ ctx, actor, id }) => revokeSession(ctx, actor, id));
  http.serve(session.revokeOthers, ({ ctx, actor }) => revokeOthers(ctx, actor));
}
