import { inject } from 'vitest';
import { type Cluster, openCluster } from './cluster.ts';

/** The cluster of `npm run test:kubernetes`, which all tests share. */
export const theCluster = (): Cluster => openCluster(inject('cluster'));
