// The variables of the programs of a run.

import { join } from 'node:path';
import type { RunContext } from '../api/runner-api.ts';
import { networkVariables } from '../../node/net/connections.ts';
import { outputsFile, type Workspace } from '../workspace/workspace.ts';

/** The workspace and project for calls of git: those of a run, or of an inspection at a repository. */
export interface GitPlace {
  workspace: Workspace;
  ctx: Pick<RunContext, 'config'>;
  task: { project_id: number };
}

/** The variables of every program of a run. */
export function baseEnvironment({
  ctx,
  workspace,
}: Pick<GitPlace, 'ctx' | 'workspace'>): Record<string, string> {
  const { home, user } = workspace;
  // Files in a shared temporary folder would still be there for the next task of the same user.
  const own = user && { TMPDIR: join(home, 'tmp'), USER: user.name, LOGNAME: user.name };
  const usual = { PATH: ctx.config.path, HOME: home, LANG: 'C.UTF-8' };
  return { ...usual, SIGNALBOX_OUTPUTS: outputsFile(workspace), ...own };
}

/** The variables of the programs of people: with those of the service that all tasks get. */
export const programEnvironment = (place: Pick<GitPlace, 'ctx' | 'workspace'>) => ({
  ...place.ctx.config.taskEnvironment,
  ...baseEnvironment(place),
});

/** Those of a program that fetches something for a run, in the same way as git. */
export const fetchEnvironment = (place: Pick<GitPlace, 'ctx' | 'workspace'>) => ({
  ...programEnvironment(place),
  ...networkVariables(place.ctx.config),
});
