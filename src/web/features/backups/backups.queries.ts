import { backups } from '#shared/api/backups.ts';
import { projects } from '#shared/api/projects.ts';
import { send } from '../../lib/query.ts';

export const readBackup = () => send(backups.read);
export const restoreProject = () => send(backups.restore, { refresh: [projects.list] });
