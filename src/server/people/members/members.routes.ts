import { members } from '#shared/api/members.ts';
import type { Http } from '../../http/serve.ts';
import { changeRole, linkMember, listMembers, removeMember, requireMember } from './members.ts';

export function memberRoutes(http: Http): void {
  http.serve(members.list, ({ ctx, projectId, query }) => listMembers(ctx.db, projectId, query));
  http.serve(members.create, ({ ctx, projectId, body }) => linkMember(ctx, projectId, body));
  http.serve(members.one, ({ ctx, projectId, id }) => requireMember(ctx.db, projectId, id));
  http.serve(members.update, ({ ctx, projectId, id, body }) =>
    changeRole(ctx, projectId, id, body.role),
  );
  http.serve(members.remove, ({ ctx, actor, projectId, id }) =>
    removeMember(ctx, projectId, { userId: id, actor }),
  );
  http.serve(members.leave, ({ ctx, actor, projectId }) =>
    removeMember(ctx, projectId, { userId: actor.userId, actor }),
  );
}
