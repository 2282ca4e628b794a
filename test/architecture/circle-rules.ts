// Files and folders import one way only. Type imports count too: a reader of one file has to read
// the other.

import { posix } from 'node:path';
import { circlesIn, type Graph } from './circles.ts';
import { type Rule, type SourceFile, product } from './source.ts';

/** The graph of imports; `nameOf` answers the node of a file, or null to leave the file out. */
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

// These files import every room, and no room imports them.
const composition = new Set(
  ['main', 'app', 'open-context', 'open-metrics', 'task-service'].map(
    (name) => `src/server/${name}.ts`,
  ),
);

/** Each folder is a room, and so is each folder within it. */
function roomOf(path: string): string | null {
  return composition.has(path) ? null : posix.dirname(path);
}

/** The folder beside the composition that contains a room. */
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

/** Few folders side by side: a newcomer finds the way quickly. */
export const fewFoldersSideBySide: Rule = (files) => {
  const rooms = product(files).filter(({ path }) => path.startsWith('src/server/'));
  const groups = new Set(rooms.flatMap(({ path }) => groupOf(path) ?? []));
  return groups.size > mostRooms
    ? [`src/server has ${groups.size} folders side by side, at most ${mostRooms}: group them.`]
    : [];
};

const mostFilesInFolder = 25;

/** A list of one file for each noun of the contract. */
const lists = new Set(['src/shared/api']);

export const foldersAreSmall: Rule = (files) => {
  const counts = new Map<string, number>();
  for (const { path } of product(files)) {
    const folder = posix.dirname(path);
    if (path.endsWith('.css') || lists.has(folder)) continue;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > mostFilesInFolder)
    .map(
      ([folder, count]) =>
        `${folder}: ${count} files in one folder, at most ${mostFilesInFolder}; give them folders by concern.`,
    );
};
