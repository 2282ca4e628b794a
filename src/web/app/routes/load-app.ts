import { projectQueries } from '../../features/projects/projects.queries.ts';
import { projectToOpen, rememberProject } from '../../features/projects/last-project.ts';
import { systemQueries } from '../../features/system/system.queries.ts';
import { userQueries } from '../../features/users/users.queries.ts';
import { ApiError } from '../../lib/api.ts';
import { loadLanguage } from '../../lib/i18n.ts';
import { startLiveCache } from '../../lib/live-cache.ts';
import { followProject } from '../../lib/live-project.ts';
import { queryClient } from '../../lib/query.ts';

/** Returns `isOpen: false` if the user has to set up a second factor first. */
export async function loadApp(): Promise<{ isOpen: boolean }> {
  startLiveCache();
  try {
    await Promise.all([
      loadLanguage(),
      queryClient.ensureQueryData(userQueries.current()),
      queryClient.ensureQueryData(systemQueries.info()),
      queryClient.ensureQueryData(projectQueries.list()),
    ]);
    return { isOpen: true };
  } catch (error) {
    const isClosed = error instanceof ApiError && error.body.code === 'session.second_factor_setup';
    if (isClosed) return { isOpen: false };
    throw error;
  }
}

export async function loadSetup(): Promise<void> {
  await loadLanguage();
}

export async function pickProject(): Promise<number | undefined> {
  return projectToOpen(await queryClient.ensureQueryData(projectQueries.list()));
}

/** Loads what the screens of a project need; with `isAhead`, for a link under the pointer. */
export async function openProject(projectId: number, isAhead: boolean): Promise<void> {
  if (!isAhead) await followProject(projectId);
  await queryClient.ensureQueryData(projectQueries.rights(projectId));
  rememberProject(projectId);
}
