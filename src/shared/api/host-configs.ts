import { z } from 'zod';
import { hostConfigTypes, readHostConfig } from '../git/host-config.ts';
import { hasPassword } from '../git/repository-url.ts';
import { crossCheck } from '../cross-check.ts';
import { storedFields } from '../stored-fields.ts';
import { endpoint } from './endpoint.ts';
import { id, idOf, line, requiredId } from '../fields.ts';
import { sortedQuery } from './page.ts';
import { inProject } from './projects.ts';

const fields = z.object({
  type: z.enum(hostConfigTypes, { error: 'inventory.type_required' }),
  /** `host`: an ssh host, with its port to match only that. `url`: a prefix of addresses. */
  host: line(255, 'host_config.host_required'),
  ssh_key_id: requiredId('repository.key_required'),
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

const params = inProject.extend({ host_config_id: idOf('host_config.not_found') });

export const hostConfigs = {
  list: endpoint.get('/api/project/:project_id/host_configs', {
    permission: 'member',
    summary: 'The hosts and prefixes of addresses for which git uses a key of their own',
    params: inProject,
    query: sortedQuery(['host', 'type', 'ssh_key']),
    reply: z.array(hostConfig),
  }),
  create: endpoint.post('/api/project/:project_id/host_configs', {
    permission: 'manage_resources',
    summary: 'Name the key for a host or a prefix of addresses',
    params: inProject,
    body: newHostConfig,
    reply: hostConfig,
    status: 201,
    refuses: ['host_config.name_taken', 'request.stale'],
  }),
  one: endpoint.get('/api/project/:project_id/host_configs/:host_config_id', {
    permission: 'member',
    summary: 'One host or prefix with its key',
    params,
    reply: hostConfig,
    versioned: true,
  }),
  update: endpoint.put('/api/project/:project_id/host_configs/:host_config_id', {
    permission: 'manage_resources',
    summary: 'Change a host or prefix, or its key',
    params,
    body: newHostConfig,
    versioned: true,
    refuses: ['host_config.name_taken'],
  }),
  remove: endpoint.delete('/api/project/:project_id/host_configs/:host_config_id', {
    permission: 'manage_resources',
    summary: 'Delete a host or prefix; its key stays',
    params,
  }),
};
