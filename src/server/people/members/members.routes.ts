import { members } from '#shared/api/members.ts';
import type { Http } from '../../http/serve.ts';
import { changeRole, linkMember, listMembers, removeMember, requireMember } from './members.ts';

export function memberRoutes(http: Http): void {
  http.serve(members.list, ({ ctx, projectId, query }) => listMembers(ctx.db, projectId, query));
  http.serve(members.create, ({ ctx, projectId, body, access }) =>
    linkMember(ctx, projectId, body, access),
  );
  http.serve(members.one, ({ ctx, projectId, id }) => requireMember(ctx.db, projectId, id));
  http.serve(members.update, ({ ctx, projectId, id, body, access }) =>
    changeRole(ctx, projectId, id, { slug: body.role, giver: access }),
  );
  http.serve(members.remove, ({ ctx, actor, projectId, id, access }) =>
    removeMember(ctx, projectId, { userId: id, actor, giver: access }),
  );
  http.serve(members.leave, ({ ctx, actor, projectId }) =>
    removeMember(ctx, projectId, { userId: actor.userId, actor, giver: null }),
  );
}
