import { tokens } from '#shared/api/tokens.ts';
import type { Http } from '../../http/serve.ts';
import { createToken, removeToken, getTokens } from './tokens.ts';

export function tokenRoutes(http: Http): void {
  http.serve(tokens.list, ({ ctx, actor }) => getTokens(ctx, actor.userId));
  http.serve(tokens.create, ({ ctx, actor, body }) => createToken(ctx, actor, body));
  http.serve(tokens.remove, ({ ctx, actor, id }) => removeToken(ctx, actor.userId, id));
}
