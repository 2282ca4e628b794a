// All screens of the console, read from its routes, so that a test of every screen has new ones too.

import { vi } from 'vitest';

interface Routes {
  router: {
    routesById: Record<
      string,
      { id: string; fullPath: string; options: { component?: unknown } } | undefined
    >;
  };
}

// The name is not a literal, because tests are type-checked without the screens.
const file: string = '../../src/web/app/router.ts';

/** The paths of the screens, such as `/project/$projectId/keys`; addresses that only lead on have none. */
export async function consoleScreens(): Promise<string[]> {
  // Modules of the console read this when they are loaded.
  vi.stubGlobal('localStorage', { getItem: () => null });
  try {
    const { router } = (await import(file)) as Routes;
    const screens = Object.values(router.routesById).flatMap((route) =>
      route?.options.component && route.id !== '__root__' ? [route.fullPath] : [],
    );
    return [...new Set(screens.map((path) => path.replace(/(.)\/$/, '$1')))].sort();
  } finally {
    vi.unstubAllGlobals();
  }
}
