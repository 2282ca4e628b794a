const storageKey = 'projectId';

export function rememberProject(id: number): void {
  localStorage.setItem(storageKey, String(id));
}

/**
 * The remembered project if it still exists, otherwise the first one; undefined if there is none.
 */
export function projectToOpen(projects: readonly { id: number }[]): number | undefined {
  const remembered = Number(localStorage.getItem(storageKey));
  return (projects.find(({ id }) => id === remembered) ?? projects[0])?.id;
}
