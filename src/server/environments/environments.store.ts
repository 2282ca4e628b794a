import type { Environment } from '#shared/api/environments.ts';
import { resourceStore } from '../db/resource.ts';

export const environmentStore = resourceStore<'environments', Environment>('environments', {
  toEntity: ({ revision: _revision, ...row }) => row,
});
