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

const routes = consoleRoutes.map((route) => route.split('/').filter(Boolean));

/** `path`: without a query. A last part with a dot is the name of a file, and none of a screen. */
export function isConsoleRoute(path: string): boolean {
  const isFile = path.slice(path.lastIndexOf('/')).includes('.');
  const parts = (path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);
  return !isFile && !parts.includes('') && routes.some((route) => leadsTo(route, parts));
}

function leadsTo(route: string[], parts: string[]): boolean {
  const isOpen = route.at(-1) === '*';
  const fits = isOpen ? parts.length >= route.length : parts.length === route.length;
  return fits && route.every((part, index) => /^[:*]/.test(part) || part === parts[index]);
}
