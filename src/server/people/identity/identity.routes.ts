import { groupRules, identity } from '#shared/api/identity.ts';
import { baseOf, type Http } from '../../http/serve.ts';
import {
  changeRule,
  createRule,
  deleteRule,
  placeRules,
  requireRule,
  getRules,
  tryClaims,
} from './group-rules.ts';
import { isSecure, setCookies } from '../session/cookies.ts';
import { beginSignIn, browserSecret, completeSignIn, STATE_LIFETIME_S } from './oidc-sign-in.ts';
import { getProviders } from './providers.ts';

// Binds a sign-in to its browser. Lax, because the provider redirects back to this server.
const cookie = 'signalbox_oidc';
const path = '/api/auth/oidc';

type QueryText = string | string[] | undefined;

/** The page after the sign-in; the first page keeps the query string. */
function targetPage(query: { next?: QueryText; redirect?: QueryText }, url: string): string {
  const [named] = [query.next ?? query.redirect ?? []].flat();
  const { search } = new URL(url, 'http://localhost');
  return named ?? (search && `/${search}`);
}

export function identityRoutes(http: Http): void {
  http.serve(identity.begin, async ({ ctx, params, query, request, reply }) => {
    const browser = browserSecret(request.cookies[cookie]);
    const base = baseOf(ctx, request);
    reply.setCookie(cookie, browser, {
      path,
      sameSite: 'lax',
      httpOnly: true,
      secure: isSecure(base),
      maxAge: STATE_LIFETIME_S,
    });
    const next = targetPage(query, request.url);
    return beginSignIn(ctx, { providerId: params.provider_id, base, browser }, next);
  });

  http.serve(identity.complete, async ({ ctx, params, request, reply }) => {
    const base = baseOf(ctx, request);
    const { url, token } = await completeSignIn(ctx, {
      providerId: params.provider_id,
      base,
      browser: request.cookies[cookie] ?? '',
      search: new URL(request.url, 'http://localhost').search,
      origin: { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' },
    });
    if (token) setCookies(reply, token, isSecure(base));
    return url;
  });

  http.serve(identity.providers, ({ ctx, request }) => getProviders(ctx, baseOf(ctx, request)));
  http.serve(identity.try, ({ ctx, body }) => tryClaims(ctx, body));

  http.serve(groupRules.list, ({ ctx }) => getRules(ctx));
  http.serve(groupRules.create, ({ ctx, body }) => createRule(ctx, body));
  http.serve(groupRules.one, ({ ctx, params }) => requireRule(ctx, params.rule_id));
  http.serve(groupRules.update, ({ ctx, params, body }) => changeRule(ctx, params.rule_id, body));
  http.serve(groupRules.place, ({ ctx, body }) => placeRules(ctx, body.ids));
  http.serve(groupRules.remove, ({ ctx, params }) => deleteRule(ctx, params.rule_id));
}
