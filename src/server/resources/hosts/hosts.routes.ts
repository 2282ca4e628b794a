import { hosts } from '#shared/api/hosts.ts';
import { type Http, type Input, shown } from '../../http/serve.ts';
import { getHostMap } from './host-map.ts';
import { getFacts } from './host-facts.ts';
import { getHost, getHosts, getHostTasks } from './hosts.ts';

const which = ({ params, access }: Pick<Input<typeof hosts.one>, 'params' | 'access'>) => ({
  projectId: params.project_id,
  name: params.host,
  ofInventories: access.rights.has('inventory.read'),
});

export function hostRoutes(http: Http): void {
  http.serve(hosts.list, async (input) => {
    const { ctx, params, query, access } = input;
    const filter = { ...query, ofInventories: access.rights.has('inventory.read') };
    return shown(input, await getHosts(ctx, params.project_id, filter));
  });
  http.serve(hosts.map, ({ ctx, params, query, access }) =>
    getHostMap(ctx, params.project_id, {
      ...query,
      ofInventories: access.rights.has('inventory.read'),
    }),
  );
  http.serve(hosts.one, (input) => getHost(input.ctx, which(input)));
  http.serve(hosts.facts, (input) => getFacts(input.ctx, which(input)));
  http.serve(hosts.tasks, async (input) =>
    shown(input, await getHostTasks(input.ctx, which(input), input.query)),
  );
}
