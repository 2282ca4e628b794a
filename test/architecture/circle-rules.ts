// Files and folders import one way only. Types count too: who reads one of the files has to read the
// others.

import { posix } from 'node:path';
import { circlesIn, type Graph } from './circles.ts';
import { type Rule, type SourceFile, product } from './source.ts';

/** What imports what; `nameOf` tells whether files or folders are meant, null leaves one out. */
function graphOf(files: SourceFile[], nameOf: (path: string) => string | null): Graph {
  const own = new Set(files.map(({ path }) => path));
  const graph: Graph = new Map();
  for (const file of files) {
    const from = nameOf(file.path);
    if (from === null) continue;
    const others = graph.get(from) ?? new Set();
    graph.set(from, others);
    for (const { target } of file.imports) {
      const to = own.has(target) ? nameOf(target) : null;
      if (to !== null && to !== from) others.add(to);
    }
  }
  return graph;
}

export const noCircles: Rule = (files) =>
  circlesIn(graphOf(product(files), (path) => path)).map(
    (circle) => `${circle.join(' ↔ ')}: a circle; the noun that all talk about is missing.`,
  );

// These see every room, and no room sees them.
const composition = new Set(
  ['main', 'app', 'open-context', 'task-service'].map((name) => `src/server/${name}.ts`),
);

/** Each folder is a room, and those within it are others. */
function roomOf(path: string): string | null {
  return composition.has(path) ? null : posix.dirname(path);
}

/** The folder beside the composition in which a room lies. */
const groupOf = (path: string): string | null =>
  roomOf(path)?.split('/').slice(0, 3).join('/') ?? null;

const circlesOf = (nameOf: (path: string) => string | null): Rule => {
  return (files) =>
    circlesIn(graphOf(product(files), nameOf)).map(
      (circle) => `${circle.join(' ↔ ')}: a circle of folders; what they share belongs below them.`,
    );
};

export const noCirclesOfRooms: Rule = circlesOf(roomOf);

export const noCirclesOfGroups: Rule = circlesOf(groupOf);

const mostRooms = 20;

/** A newcomer finds the way at a glance. */
export const fewFoldersSideBySide: Rule = (files) => {
  const rooms = product(files).filter(({ path }) => path.startsWith('src/server/'));
  const groups = new Set(rooms.flatMap(({ path }) => groupOf(path) ?? []));
  return groups.size > mostRooms
    ? [`src/server has ${groups.size} folders side by side, at most ${mostRooms}: group them.`]
    : [];
};
