const storageKey = (projectId: number): string => `viewId.${projectId}`;

/** `viewId` is null for all templates. */
export function rememberView(projectId: number, viewId: number | null): void {
  if (viewId === null) localStorage.removeItem(storageKey(projectId));
  else localStorage.setItem(storageKey(projectId), String(viewId));
}

export function lastView(projectId: number): number | null {
  const text = localStorage.getItem(storageKey(projectId)) ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
