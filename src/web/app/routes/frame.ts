// One chunk: what every screen after sign-in needs, with the dashboard, the most visited screen.

export { History } from '../project/history.tsx';
export { ProjectFrame } from '../project/project-frame.tsx';
export { Shell } from '../shell/shell.tsx';
export { loadApp, loadSetup, openProject, pickProject } from './load-app.ts';
