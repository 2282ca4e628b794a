// The addresses at which the console shows a screen. The server answers 404 at every other one, so
// that programs which ask for something else, such as /metrics, are told that it is not here.

export const consoleRoutes = [
  '/',
  '/auth/login',
  '/second-factor',
  '/account',
  '/account/sessions',
  '/account/tokens',
  '/users',
  '/events',
  '/tasks',
  '/runners',
  '/identity',
  '/apps',
  '/health',
  '/project',
  '/project/new',
  '/project/:project_id',
  // What the console does not know in a project leads to its first screen.
  '/project/:project_id/*',
] as const;

const patterns = consoleRoutes.map(
  (route) =>
    new RegExp(`^${route.replace('/*', '/.+').replace(/:\w+/, '[^/]+').replace(/\/$/, '')}/?$`),
);

/** `path`: without a query. A last part with a dot is the name of a file, and none of a screen. */
export const isConsoleRoute = (path: string): boolean =>
  !path.slice(path.lastIndexOf('/')).includes('.') &&
  patterns.some((pattern) => pattern.test(path));
