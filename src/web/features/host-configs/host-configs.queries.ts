import { type HostConfig, hostConfigs } from '#shared/api/host-configs.ts';
import { query } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';

export const hostConfigResource = defineResource({
  noun: 'host_config',
  endpoints: hostConfigs,
  nameOf: ({ host }: HostConfig) => host,
});

export const hostConfigQueries = {
  list: (projectId: number) => query(hostConfigs.list, { params: { project_id: projectId } }),
};
