// Apart from `seed.ts`, which tests without a server use too.

import { testApp, type TestOptions } from './app.ts';
import { seedProject } from './seed.ts';

/** A server with a project: see `testApp` and `seedProject`. */
export async function appWithProject(files?: Record<string, string> | null, options?: TestOptions) {
  const app = await testApp(options);
  const seed = await seedProject(app.admin, files);
  return { app, seed, params: { project_id: seed.projectId } };
}
