import { members } from '#shared/api/members.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { listMembers } from './members.store.ts';

export function memberRoutes(http: Http, ctx: Context): void {
  http.serve(members.list, ({ params, query }) => listMembers(ctx.db, params.project_id, query));
}
