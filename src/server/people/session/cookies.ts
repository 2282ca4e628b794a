// The cookies: the session token, which scripts cannot read, and a flag for the console that a session
// exists. A third cookie outlives the session, and identifies the browser at the next sign-in.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { PENDING_MFA_SESSION_SECONDS } from './pending-mfa-sessions.ts';
import { sessionDays } from './session.ts';

const tokenCookie = 'signalbox';
const markCookie = 'signalbox_signed_in';
const deviceCookie = 'signalbox_device';
const deviceDays = 365;

export function readToken(request: FastifyRequest): string | null {
  return request.cookies[tokenCookie] || null;
}

/** Whether cookies for people who reach the server here are sent over https only. */
export const isSecure = (base: string): boolean => base.startsWith('https:');

export function setCookies(reply: FastifyReply, token: string, secure: boolean): void {
  const shared = { path: '/', sameSite: 'lax', secure, maxAge: sessionDays * 86_400 } as const;
  reply.setCookie(tokenCookie, token, { ...shared, httpOnly: true });
  reply.setCookie(markCookie, '1', shared);
}

/** Sets the cookie of a half session, in the place of that of a session before it. */
export function setHalfCookie(reply: FastifyReply, token: string, secure: boolean): void {
  const shared = { path: '/', sameSite: 'lax', secure, httpOnly: true } as const;
  reply.setCookie(tokenCookie, token, { ...shared, maxAge: PENDING_MFA_SESSION_SECONDS });
  reply.clearCookie(markCookie, { path: '/' });
}

export function readDevice(request: FastifyRequest): string | null {
  return request.cookies[deviceCookie] || null;
}

/** Sets the device cookie, which browsers send to the sign-in only. */
export function setDevice(reply: FastifyReply, device: string, secure: boolean): void {
  reply.setCookie(deviceCookie, device, {
    path: '/api/auth/login',
    sameSite: 'strict',
    secure,
    httpOnly: true,
    maxAge: deviceDays * 86_400,
  });
}

export function clearCookies(reply: FastifyReply): void {
  reply.clearCookie(tokenCookie, { path: '/' });
  reply.clearCookie(markCookie, { path: '/' });
}

/** Reads the session token from a Cookie header, for requests outside of Fastify. */
export function tokenOfHeader(header: string | undefined): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === tokenCookie)?.[1] || null;
}
