import type { TestProject } from 'vitest/node';
import { startCluster, stopCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the cluster that all tests of `npm run test:kubernetes` share. */
    cluster: string;
  }
}

/** Starts the cluster once, and returns what stops it after the last test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await startCluster();
  project.provide('cluster', folder);
  return () => stopCluster(folder);
}
