// The addresses of the console and its files, and the headers that tell browsers how to treat them.

import { describe, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/errors.ts';
import { bareServer } from './helpers/bare-server.ts';

describe('the console', () => {
  test('is the same page at every address of a screen', async () => {
    const server = await bareServer();
    for (const url of [
      '/',
      '/project/1/history',
      '/auth/login?next=%2F',
      '/project/1.5x/y',
      '/users/',
    ]) {
      const { statusCode, headers, body } = await server.inject({ url });
      expect([url, statusCode]).toEqual([url, 200]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(headers['permissions-policy']).toContain('camera=()');
      expect(body).toContain('<html>');
    }
  });

  test('is at no other address, which programs and people are told', async () => {
    const server = await bareServer();
    for (const url of ['/metrics', '/healthz', '/readyz', '/none/at-all', '/assets', '/%75sers']) {
      for (const accept of [undefined, '*/*', 'application/json', 'text/plain;version=0.0.4']) {
        const answer = await server.inject({ url, ...(accept && { headers: { accept } }) });
        expect([url, accept, answer.statusCode]).toEqual([url, accept, 404]);
        expect(answer.json<ErrorBody>().code).toBe('request.not_found');
      }
      const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const page = await server.inject({ url, headers });
      expect([url, page.statusCode]).toEqual([url, 404]);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.body).toContain('<html>');
    }
    const json = { url: '/users', headers: { accept: 'application/json' } };
    expect((await server.inject(json)).statusCode).toBe(404);
    const api = { url: '/api/none', headers: { accept: 'text/html' } };
    expect((await server.inject(api)).json<ErrorBody>().code).toBe('request.not_found');
  });

  test('has a policy with a nonce that is never used again', async () => {
    const server = await bareServer();
    const nonces: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { headers, body } = await server.inject({ url: '/' });
      const policy = String(headers['content-security-policy']);
      const nonce = /style-src 'self' 'nonce-([\w+/=]+)'/.exec(policy)?.[1] ?? '';
      expect(body).toBe(`<html><style nonce="${nonce}"></style></html>`);
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("object-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      nonces.push(nonce);
    }
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('has files that browsers may keep, and no others', async () => {
    const server = await bareServer();
    const asset = await server.inject({ url: '/assets/main-1.js' });
    expect(asset.statusCode).toBe(200);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['x-content-type-options']).toBe('nosniff');
    for (const url of [
      '/assets/none.js',
      '/none.js',
      '/beside.svg',
      '/assets/../../outside.txt',
      '/assets/%2e%2e/%2e%2e/outside.txt',
      '/..%2foutside.txt',
      '/api/none',
      '/api',
    ]) {
      const answer = await server.inject({ url });
      expect([url, answer.statusCode]).toEqual([url, expect.toBeOneOf([403, 404])]);
      const body = answer.json<ErrorBody>();
      expect([url, body.code, body.request_id]).toEqual([
        url,
        'request.not_found',
        answer.headers['x-request-id'],
      ]);
    }
  });

  test('is absent where it has not been built', async () => {
    const server = await bareServer({}, false);
    const answer = await server.inject({ url: '/' });
    expect([answer.statusCode, answer.json<ErrorBody>().code]).toEqual([404, 'request.not_found']);
  });
});
