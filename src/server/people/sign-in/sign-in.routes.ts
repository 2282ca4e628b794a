import { session } from '#shared/api/session.ts';
import { baseOf, type Http } from '../../http/serve.ts';
import {
  clearCookies,
  isSecure,
  readDevice,
  readToken,
  setCookies,
  setDevice,
} from '../session/cookies.ts';
import { signIn, signOut } from './sign-in.ts';

export function signInRoutes(http: Http): void {
  http.serve(session.ways, ({ ctx: { config } }) => ({
    oidc_providers: config.identity.providers,
    login_with_password: config.identity.passwordLogin,
  }));

  http.serve(session.signIn, async ({ ctx, body, request, reply }) => {
    const { token, device } = await signIn(ctx, body, {
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      device: readDevice(request),
    });
    const secure = isSecure(baseOf(ctx, request));
    setCookies(reply, token, secure);
    setDevice(reply, device, secure);
  });

  http.serve(session.signOut, async ({ ctx, request, reply }) => {
    const token = readToken(request);
    const url = token && (await signOut(ctx, token, `${baseOf(ctx, request)}/auth/login`));
    clearCookies(reply);
    return url ? { end_session_url: url } : null;
  });
}
