// The addresses at which the console shows a screen. The server answers 404 at every other one, so
// that programs which request something else, such as /metrics, learn that it does not exist.

export const consoleRoutes = [
  '/',
  '/auth/login',
  '/second-factor',
  '/help',
  '/help/:page',
  '/overview',
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
  // The name of a host may have dots.
  '/project/:project_id/hosts/:host',
  // An unknown address inside a project shows the first screen of the project.
  '/project/:project_id/*',
] as const;

const routes = consoleRoutes.map((route) => route.split('/').filter(Boolean));

/**
 * Whether the console has a screen at `path`, given without a query. A last part with a dot is the
 * name of a file, unless it names a host.
 */
export function isConsoleRoute(path: string): boolean {
  const isFile = path.slice(path.lastIndexOf('/')).includes('.');
  const parts = (path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);
  const known = isFile ? routes.filter((route) => route.at(-1) === ':host') : routes;
  return !parts.includes('') && known.some((route) => leadsTo(route, parts));
}

function leadsTo(route: string[], parts: string[]): boolean {
  const isOpen = route.at(-1) === '*';
  const fits = isOpen ? parts.length >= route.length : parts.length === route.length;
  return fits && route.every((part, index) => /^[:*]/.test(part) || part === parts[index]);
}
