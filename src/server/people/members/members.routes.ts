import { members } from '#shared/api/members.ts';
import type { Http } from '../../http/serve.ts';
import { changeRole, linkMember, listMembers, removeMember, requireMember } from './members.ts';

export function memberRoutes(http: Http): void {
  http.serve(members.list, ({ ctx, params, query }) =>
    listMembers(ctx.db, params.project_id, query),
  );
  http.serve(members.create, ({ ctx, params, body }) => linkMember(ctx, params.project_id, body));
  http.serve(members.one, ({ ctx, params }) =>
    requireMember(ctx.db, params.project_id, params.user_id),
  );
  http.serve(members.update, ({ ctx, params, body }) =>
    changeRole(ctx, params.project_id, params.user_id, body.role),
  );
  http.serve(members.remove, ({ ctx, actor, params }) =>
    removeMember(ctx, params.project_id, { userId: params.user_id, actor }),
  );
  http.serve(members.leave, ({ ctx, actor, params }) =>
    removeMember(ctx, params.project_id, { userId: actor.userId, actor }),
  );
}
