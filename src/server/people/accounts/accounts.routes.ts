import { noReferences } from '#shared/api/references.ts';
import { users } from '#shared/api/users.ts';
import type { Http } from '../../http/serve.ts';
import {
  changeAccount,
  type EndWaiting,
  createAccount,
  removeAccount,
  getAccount,
  getOwnAccount,
  getUsers,
  setPassword,
  getOwnOptions,
  setOwnOption,
} from './accounts.ts';

export function accountRoutes(http: Http, endWaiting: EndWaiting): void {
  http.serve(users.current, async ({ ctx, actor }) => ({
    ...(await getOwnAccount(ctx, actor)),
    can_create_project: actor.canCreateProject,
    second_factor_setup: actor.mustSetUpSecondFactor,
  }));

  http.serve(users.options, ({ ctx, actor }) => getOwnOptions(ctx, actor.userId));
  http.serve(users.setOption, ({ ctx, actor, body }) => setOwnOption(ctx, actor.userId, body));
  http.serve(users.list, ({ ctx, actor, query }) => getUsers(ctx, actor, query));
  http.serve(users.create, ({ ctx, body }) => createAccount(ctx, body));
  http.serve(users.one, ({ ctx, actor, params }) => getAccount(ctx, actor, params.user_id));
  http.serve(users.update, ({ ctx, actor, params, body, ifMatch }) =>
    changeAccount(ctx, actor, { id: params.user_id, revision: ifMatch, change: body }),
  );
  http.serve(users.refs, async ({ ctx, actor, params }) => {
    await getAccount(ctx, actor, params.user_id);
    return noReferences;
  });
  http.serve(users.remove, ({ ctx, actor, params }) =>
    removeAccount(ctx, actor, { id: params.user_id, endWaiting }),
  );
  http.serve(users.password, ({ ctx, actor, params, body }) =>
    setPassword(ctx, actor, { ...body, id: params.user_id }),
  );
}
