// The addresses of screens of the console. The server responds 404 to all others, so that programs that request something
// else, such as /metrics, do not receive the console.

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
  '/execution-environments',
  '/roles',
  '/identity',
  '/apps',
  '/health',
  '/project',
  '/project/new',
  '/project/:project_id',
  // The name of a host may have dots.
  '/project/:project_id/hosts/:host',
  // Unknown addresses inside a project show its first screen.
  '/project/:project_id/*',
] as const;

const routes = consoleRoutes.map((route) => route.split('/').filter(Boolean));

/** Whether the console has a screen at a path without query. A dot in the last part means a file, except for hosts. */
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
