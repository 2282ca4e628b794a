import { join } from 'node:path';
import type { RunContext } from '../api/runner-api.ts';
import type { Execution } from '../execution/execution.ts';
import { networkVariables } from '../../node/net/connections.ts';
import { outputsFile, type Workspace } from '../workspace/workspace.ts';

/** The workspace and project for git: those of a run or of an inspection of a repository. */
export interface GitPlace {
  workspace: Workspace;
  ctx: Pick<RunContext, 'config'>;
  task: { project_id: number };
  /** The programs that use git; absent: those of the runner. */
  execution?: Pick<Execution, 'isContainer'>;
}

type Surroundings = Pick<GitPlace, 'ctx' | 'workspace'>;

/** Where a program of a run's execution environment runs. */
type ProgramPlace = Surroundings & { execution: Pick<Execution, 'path' | 'variables'> };

/** The variables of every program of the runner that works for a run. */
export function baseEnvironment({ ctx, workspace }: Surroundings): Record<string, string> {
  const { home, user } = workspace;
  // Files in a shared temporary folder would remain for the user's next task.
  const own = user && { TMPDIR: join(home, 'tmp'), USER: user.name, LOGNAME: user.name };
  const usual = { PATH: ctx.config.path, HOME: home, LANG: 'C.UTF-8' };
  return { ...usual, SIGNALBOX_OUTPUTS: outputsFile(workspace), ...own };
}

/** The variables of programs of users: with those of the service that all tasks inherit. */
export const programEnvironment = (place: ProgramPlace) => ({
  ...place.ctx.config.taskEnvironment,
  ...baseEnvironment(place),
  ...place.execution.variables,
  PATH: place.execution.path,
});

/** The variables of programs of users that download something. */
export const fetchEnvironment = (place: ProgramPlace) => ({
  ...programEnvironment(place),
  ...networkVariables(place.ctx.config),
});
