// The names of projects as lists show them. Pure functions.

interface Named {
  id: number;
  name: string;
}

/** Returns the name of a project, with its number if another one has the same name. */
export function projectNames(projects: readonly Named[]): (project: Named) => string {
  const counts = new Map<string, number>();
  for (const { name } of projects) counts.set(name, (counts.get(name) ?? 0) + 1);
  return ({ id, name }) => ((counts.get(name) ?? 0) > 1 ? `${name} #${id}` : name);
}
