// Cookies: the session token, which scripts cannot read; a flag for the console that a session exists; and
// a device id that outlives sessions.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { PENDING_MFA_SESSION_SECONDS } from './pending-mfa-sessions.ts';
import { SESSION_DAYS } from './session.ts';

const tokenCookie = 'signalbox';
const markCookie = 'signalbox_signed_in';
const deviceCookie = 'signalbox_device';
const DEVICE_DAYS = 365;

export function readToken(request: FastifyRequest): string | null {
  return request.cookies[tokenCookie] || null;
}

/** Whether cookies are restricted to https. */
export const isSecure = (base: string): boolean => base.startsWith('https:');

export function setCookies(reply: FastifyReply, token: string, secure: boolean): void {
  const shared = { path: '/', sameSite: 'lax', secure, maxAge: SESSION_DAYS * 86_400 } as const;
  reply.setCookie(tokenCookie, token, { ...shared, httpOnly: true });
  reply.setCookie(markCookie, '1', shared);
}

/** Replaces the cookie of an earlier session. */
export function setPendingMfaCookie(reply: FastifyReply, token: string, secure: boolean): void {
  const shared = { path: '/', sameSite: 'lax', secure, httpOnly: true } as const;
  reply.setCookie(tokenCookie, token, { ...shared, maxAge: PENDING_MFA_SESSION_SECONDS });
  reply.clearCookie(markCookie, { path: '/' });
}

export function readDevice(request: FastifyRequest): string | null {
  return request.cookies[deviceCookie] || null;
}

/** Sent to the sign-in endpoint only. */
export function setDevice(reply: FastifyReply, device: string, secure: boolean): void {
  reply.setCookie(deviceCookie, device, {
    path: '/api/auth/login',
    sameSite: 'strict',
    secure,
    httpOnly: true,
    maxAge: DEVICE_DAYS * 86_400,
  });
}

export function clearCookies(reply: FastifyReply): void {
  reply.clearCookie(tokenCookie, { path: '/' });
  reply.clearCookie(markCookie, { path: '/' });
}

/** For upgrade requests, which bypass Fastify. */
export function tokenOfHeader(header: string | undefined): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === tokenCookie)?.[1] || null;
}
