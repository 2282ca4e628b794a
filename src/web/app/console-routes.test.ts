import { afterAll, expect, test, vi } from 'vitest';
import { consoleRoutes, isConsoleRoute } from '#shared/console-routes.ts';

// Modules of the console read this when they are loaded.
vi.stubGlobal('localStorage', { getItem: () => null });
afterAll(() => void vi.unstubAllGlobals());

interface Routes {
  router: { routesById: Record<string, { id: string; fullPath: string }> };
}
// The name is not a literal, because tests are type-checked without the screens.
const file: string = './router.ts';
const { router } = (await import(file)) as Routes;

/** In the notation of the server: `/project/:project_id/*`. */
const addresses = Object.values(router.routesById)
  .filter((route) => route.id !== '__root__' && route.id !== '/app')
  .map(({ fullPath }) =>
    fullPath
      .replace('$projectId', ':project_id')
      .replace('$host', ':host')
      .replace('$page', ':page')
      .replace(/\$$/, '*')
      .replace(/(.)\/$/, '$1'),
  );

test('the server knows every screen of the console', () => {
  expect(addresses.length).toBeGreaterThan(40);
  for (const address of addresses) {
    const path = address.replace(/[:$]\w+/g, '7').replace('*', 'elsewhere');
    expect([path, isConsoleRoute(path)]).toEqual([path, true]);
  }
});

test('the server knows no screen that the console does not have', () => {
  for (const route of consoleRoutes) expect(addresses).toContain(route);
});

test('the name of a host may have dots and slashes', () => {
  for (const name of ['db-1.example.com', 'odd/name.php', 'ä #?%']) {
    expect(isConsoleRoute(`/project/1/hosts/${encodeURIComponent(name)}`)).toBe(true);
  }
});

test.each(['/metrics', '/healthz', '/usersx', '/users/7', '/favicon.ico', '/project/1/a.php'])(
  '%j is no screen',
  (path) => {
    expect(isConsoleRoute(path)).toBe(false);
  },
);
