// The screens for administrators, in the order of their tabs.

interface Section {
  to: string;
  words:
    | 'admin.tasks'
    | 'admin.users'
    | 'admin.identity'
    | 'admin.apps'
    | 'admin.runners'
    | 'admin.execution_environments'
    | 'admin.roles'
    | 'admin.events'
    | 'admin.health';
}

export const adminSections: Section[] = [
  { to: '/tasks', words: 'admin.tasks' },
  { to: '/users', words: 'admin.users' },
  { to: '/identity', words: 'admin.identity' },
  { to: '/apps', words: 'admin.apps' },
  { to: '/runners', words: 'admin.runners' },
  { to: '/execution-environments', words: 'admin.execution_environments' },
  { to: '/roles', words: 'admin.roles' },
  { to: '/events', words: 'admin.events' },
  { to: '/health', words: 'admin.health' },
];

export const isOfAdmins = (pathname: string): boolean =>
  adminSections.some(({ to }) => pathname === to || pathname === `${to}/`);
