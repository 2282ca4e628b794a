// The project that was open last, for the next visit.

const storageKey = 'projectId';

export function rememberProject(id: number): void {
  localStorage.setItem(storageKey, String(id));
}

/** The remembered project when it is still there, else the first; undefined without any. */
export function projectToOpen(projects: readonly { id: number }[]): number | undefined {
  const remembered = Number(localStorage.getItem(storageKey));
  return (projects.find(({ id }) => id === remembered) ?? projects[0])?.id;
}
