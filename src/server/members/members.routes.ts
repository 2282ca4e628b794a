import { members } from '#shared/api/members.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { changeRole, linkMember, removeMember, requireMember } from './members.ts';
import { listMembers } from './members.store.ts';

export function memberRoutes(http: Http, ctx: Context): void {
  http.serve(members.list, ({ params, query }) => listMembers(ctx.db, params.project_id, query));
  http.serve(members.create, ({ params, body }) => linkMember(ctx, params.project_id, body));
  http.serve(members.one, ({ params }) => requireMember(ctx.db, params.project_id, params.user_id));
  http.serve(members.update, ({ params, body }) =>
    changeRole(ctx, params.project_id, params.user_id, body.role),
  );
  http.serve(members.remove, ({ params }) => removeMember(ctx, params.project_id, params.user_id));
  http.serve(members.leave, ({ actor, params }) =>
    removeMember(ctx, params.project_id, actor.userId),
  );
}
