import { session } from '#shared/api/session.ts';
import { baseOf, type Http } from '../http/serve.ts';
import { clearCookies, isSecure, readToken, setCookies } from './cookies.ts';
import { revokeOthers, revokeSession, seeSessions, signIn, signOut } from './session.ts';

export function sessionRoutes(http: Http): void {
  http.serve(session.ways, ({ ctx: { config } }) => ({
    oidc_providers: config.identity.providers,
    login_with_password: config.identity.passwordLogin,
  }));

  http.serve(session.signIn, async ({ ctx, body, request, reply }) => {
    const origin = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const token = await signIn(ctx, body, origin);
    setCookies(reply, token, isSecure(baseOf(ctx, request)));
  });

  http.serve(session.list, ({ ctx, actor }) => seeSessions(ctx, actor));
  http.serve(session.revoke, ({ ctx, actor, params }) =>
    revokeSession(ctx, actor, params.session_id),
  );
  http.serve(session.revokeOthers, ({ ctx, actor }) => revokeOthers(ctx, actor));

  http.serve(session.signOut, async ({ ctx, request, reply }) => {
    const token = readToken(request);
    const url = token && (await signOut(ctx, token, `${baseOf(ctx, request)}/auth/login`));
    clearCookies(reply);
    return url ? { end_session_url: url } : null;
  });
}
