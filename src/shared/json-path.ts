// Paths to a value in JSON: `repository.name`, `commits[0].id`, `commits.0.id`,
// `commits.[0].id`, `["a.b"].c`.

// A name between dots, a number in brackets, or any name in brackets and quotes.
const part = /\.?([^.[\]"]+)|\.?\[(\d+)\]|\.?\["((?:[^"\\]|\\.)*)"\]/sy;

/** The names of a path from the outside in; null: not a valid path. */
export function parsePath(path: string): string[] | null {
  const names: string[] = [];
  if (path.startsWith('.')) return null;
  part.lastIndex = 0;
  while (part.lastIndex < path.length) {
    const found = part.exec(path);
    if (!found) return null;
    const [, name, index, quoted] = found;
    names.push(name ?? index ?? (quoted ?? '').replace(/\\(.)/gs, '$1'));
  }
  return names.length > 0 ? names : null;
}
