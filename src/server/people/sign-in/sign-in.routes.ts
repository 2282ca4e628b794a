import type { FastifyReply, FastifyRequest } from 'fastify';
import { session } from '#shared/api/session.ts';
import { baseOf, type Http, type Input } from '../../http/serve.ts';
import {
  clearCookies,
  isSecure,
  readDevice,
  readToken,
  setCookies,
  setDevice,
  setPendingMfaCookie,
} from '../session/cookies.ts';
import { signIn, signOut, verifySignIn, type Origin, type SignedIn } from './sign-in.ts';

const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
});

function setSignedIn(reply: FastifyReply, { token, device }: SignedIn, secure: boolean): void {
  setCookies(reply, token, secure);
  setDevice(reply, device, secure);
}

export function signInRoutes(http: Http): void {
  http.serve(session.ways, ({ ctx: { config } }) => ({
    oidc_providers: config.identity.providers,
    login_with_password: config.identity.passwordLogin,
    auth_methods: { totp: { allow_recovery: true } },
  }));

  http.serve(session.signIn, async ({ ctx, body, request, reply }) => {
    const origin = { ...originOf(request), device: readDevice(request) };
    const signedIn = await signIn(ctx, body, origin);
    const secure = isSecure(baseOf(ctx, request));
    if ('pendingToken' in signedIn) setPendingMfaCookie(reply, signedIn.pendingToken, secure);
    else setSignedIn(reply, signedIn, secure);
  });

  type VerifyInput = Pick<Input<typeof session.verify>, 'ctx' | 'request' | 'reply'>;
  const verify = async ({ ctx, request, reply }: VerifyInput, code: string): Promise<void> => {
    const given = { token: readToken(request), code };
    const signedIn = await verifySignIn(ctx, given, originOf(request));
    if (signedIn) setSignedIn(reply, signedIn, isSecure(baseOf(ctx, request)));
  };
  http.serve(session.verify, (input) => verify(input, input.body.passcode));
  http.serve(session.recover, (input) => verify(input, input.body.recovery_code));

  http.serve(session.signOut, async ({ ctx, request, reply }) => {
    const token = readToken(request);
    const url = token && (await signOut(ctx, token, `${baseOf(ctx, request)}/auth/login`));
    clearCookies(reply);
    return url ? { end_session_url: url } : null;
  });
}
