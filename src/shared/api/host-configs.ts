import { z } from 'zod';
import { hostConfigTypes, readHostConfig } from '../git/host-config.ts';
import { hasPassword } from '../git/repository-url.ts';
import { crossCheck } from '../cross-check.ts';
import { storedFields } from '../stored-fields.ts';
import { resourceEndpoints } from './resource-endpoints.ts';
import { id, line, requiredId, using } from '../fields.ts';
import { sortedQuery } from './page.ts';

const fields = z.object({
  type: z.enum(hostConfigTypes, { error: 'inventory.type_required' }),
  /** `host`: an ssh host, with its port to match only that. `url`: a prefix of addresses. */
  host: line(255, 'host_config.host_required'),
  ssh_key_id: using('key.use', requiredId('repository.key_required')),
});

/** Assigns a key to a host, or to addresses with a prefix, for git. */
export const hostConfig = z.object({ id, project_id: id, ...storedFields(fields.shape) });
export type HostConfig = z.output<typeof hostConfig>;

export const newHostConfig = crossCheck(fields, (add) => {
  add(['type', 'host'], ({ type, host }, refuse) => {
    if (type === 'url' && hasPassword(host)) refuse('host', 'repository.url_password');
    else if (readHostConfig(type, host) === null) refuse('host', `host_config.${type}_incorrect`);
  });
});
export type NewHostConfig = z.output<typeof newHostConfig>;

export const hostConfigs = {
  ...resourceEndpoints('/api/project/:project_id/host_configs', 'host_config', {
    permission: 'host_config.edit',
    summaries: {
      list: 'The hosts and prefixes of addresses for which git uses a key of their own',
      create: 'Name the key for a host or a prefix of addresses',
      one: 'One host or prefix with its key',
      update: 'Change a host or prefix, or its key',
      remove: 'Delete a host or prefix; its key stays',
    },
    query: sortedQuery(['host', 'type', 'ssh_key']),
    body: newHostConfig,
    reply: hostConfig,
  }),
};
