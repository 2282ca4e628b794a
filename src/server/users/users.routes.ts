import { users } from '#shared/api/users.ts';
import type { Context } from '../context.ts';
import { fail } from '../errors.ts';
import type { Http } from '../http/serve.ts';
import { findUser } from './users.store.ts';

export function userRoutes(http: Http, ctx: Context): void {
  http.serve(users.current, async ({ actor }) => {
    const user = await findUser(ctx.db, actor.userId);
    if (!user) throw fail('session.required');
    return { ...user, can_create_project: actor.canCreateProject };
  });
}
