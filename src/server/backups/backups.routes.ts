import { backups } from '#shared/api/backups.ts';
import { baseOf, type Http } from '../http/serve.ts';
import { fail } from '../lib/errors.ts';
import { backUpProject } from './backups.ts';
import { restoreProject } from './restore.ts';

export function backupRoutes(http: Http): void {
  http.serve(backups.read, async ({ ctx, params, access, reply }) => {
    if (access.scope) throw fail('permission.restricted');
    const backup = await backUpProject(ctx, params.project_id);
    const time = ctx.clock.now().toISOString().slice(0, 19).replaceAll(':', '-');
    const name = `backup_${params.project_id}_${time}.json`;
    reply.header('Content-Disposition', `attachment; filename="${name}"`);
    return backup;
  });
  http.serve(backups.restore, ({ ctx, actor, body, request }) =>
    restoreProject(ctx, actor.userId, body, baseOf(ctx, request)),
  );
}
