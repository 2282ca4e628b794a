import { access, grants, restrictions } from '#shared/api/grants.ts';
import { type Http, shown, type Input } from '../../http/serve.ts';
import {
  changeGrant,
  createGrant,
  getGrants,
  grantsAsCsv,
  refOf,
  removeGrant,
  requireOwnGrant,
  type GrantGiver,
} from './grants.ts';
import { getRestrictions, restrict } from './restrictions.ts';
import { whatMay, whoMay } from './who-may.ts';

type GiverInput = Pick<Input<typeof grants.list>, 'actor' | 'access'>;

const giverOf = async ({
  actor,
  access: { rights, objects },
}: GiverInput): Promise<GrantGiver> => ({
  userId: actor.userId,
  rights,
  objects: (await objects?.()) ?? null,
});

export function grantRoutes(http: Http): void {
  http.serve(grants.list, async (input) =>
    shown(input, await getGrants(input.ctx, input.projectId, input.query, await giverOf(input))),
  );
  http.serve(grants.export, ({ ctx, projectId, query, reply }) => {
    reply.header('Content-Disposition', 'attachment; filename="grants.csv"');
    return grantsAsCsv(ctx, projectId, query);
  });
  http.serve(grants.create, async (input) =>
    createGrant(input.ctx, input.projectId, input.body, await giverOf(input)),
  );
  http.serve(grants.one, async (input) =>
    requireOwnGrant(input.ctx, input.projectId, input.id, await giverOf(input)),
  );
  http.serve(grants.update, async (input) =>
    changeGrant(input.ctx, input.projectId, { ...input.body, id: input.id }, await giverOf(input)),
  );
  http.serve(grants.remove, async (input) =>
    removeGrant(input.ctx, input.projectId, input.id, await giverOf(input)),
  );

  http.serve(restrictions.list, async (input) =>
    getRestrictions(input.ctx, input.projectId, await giverOf(input)),
  );
  http.serve(restrictions.set, async (input) =>
    restrict(input.ctx, input.projectId, input.body, await giverOf(input)),
  );

  http.serve(access.ofObject, async (input) =>
    whoMay(input.ctx, input.projectId, refOf(input.params), await giverOf(input)),
  );
  http.serve(access.ofUser, ({ ctx, projectId, id }) => whatMay(ctx, projectId, id));
}
