import { afterAll, expect, test, vi } from 'vitest';
import { consoleRoutes, isConsoleRoute } from '#shared/console-routes.ts';

// What modules of the console look at when they are loaded.
vi.stubGlobal('localStorage', { getItem: () => null });
afterAll(() => void vi.unstubAllGlobals());

interface Routes {
  router: { routesById: Record<string, { id: string; fullPath: string }> };
}
// By a name that is no constant: types of tests are checked without those of screens.
const file: string = './router.ts';
const { router } = (await import(file)) as Routes;

/** As the server writes them: `/project/:project_id/*`. */
const addresses = Object.values(router.routesById)
  .filter((route) => route.id !== '__root__' && route.id !== '/app')
  .map(({ fullPath }) =>
    fullPath
      .replace('$projectId', ':project_id')
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

test.each(['/metrics', '/healthz', '/usersx', '/users/7', '/favicon.ico', '/project/1/a.php'])(
  '%j is no screen',
  (path) => {
    expect(isConsoleRoute(path)).toBe(false);
  },
);
