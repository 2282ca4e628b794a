// What every screen but the sign-in page needs, loaded at once, with the dashboard, to which
// people return from everywhere.

export { History } from '../project/history.tsx';
export { ProjectFrame } from '../project/project-frame.tsx';
export { Shell } from '../shell/shell.tsx';
export { loadApp, loadSetup, openProject, pickProject } from './load-app.ts';
