// Leaves out of the changes between two tasks what their reader may not see or read.

import type { TaskChange } from '#shared/api/task-changes.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import type { Rights } from '#shared/rights.ts';
import type { ObjectRights } from '../../../db/rights/object-rights.ts';
import { hidden, type Pair } from './compare.ts';

export interface ChangesReader {
  rights: Rights;
  /** Null: what `rights` says, on each object. */
  objects: ObjectRights | null;
}

interface ComparedRun {
  inventory_id: number | null;
  snapshot: TaskSnapshot;
}

type Content = 'environment' | 'inventory';

const content: Partial<Record<TaskChange['kind'], Content>> = {
  variable: 'environment',
  process_variable: 'environment',
  secret: 'environment',
  host: 'inventory',
  inventory: 'inventory',
};

export const environmentIds = ({ snapshot }: Pick<ComparedRun, 'snapshot'>): number[] => {
  const { environment, environments = environment ? [environment] : [] } = snapshot;
  return environments.map(({ id }) => id);
};

function mayRead({ rights, objects }: ChangesReader, about: Content, run: ComparedRun): boolean {
  const right = `${about}.read` as const;
  if (!objects) return rights.has(right);
  const ids = about === 'environment' ? environmentIds(run) : [run.inventory_id ?? 0];
  return ids.every((id) => objects.on({ type: about, id }).has(right));
}

/** The settings and kinds of changes that are about an object. */
const aboutObjects: {
  type: GrantedType;
  idOf: (run: ComparedRun) => number | null | undefined;
  names: string[];
}[] = [
  {
    type: 'repository',
    idOf: ({ snapshot }) => snapshot.repository.id,
    names: ['repository', 'branch', 'submodules'],
  },
  {
    type: 'execution_environment',
    idOf: ({ snapshot }) => snapshot.executionEnvironment?.id,
    names: ['execution_environment', 'execution_kind', 'execution_options', 'image', 'packages'],
  },
  {
    type: 'inventory',
    idOf: (run) => run.inventory_id,
    names: ['inventory_type', 'inventory_repository', 'inventory_branch'],
  },
  {
    type: 'repository',
    idOf: ({ snapshot }) => snapshot.inventoryRepository?.id,
    names: ['inventory_repository', 'inventory_branch'],
  },
];

/** Users who may not read environments and inventories see only that these have changed. */
export function shownTo(
  reader: ChangesReader,
  { before, after }: Pair<ComparedRun>,
  changes: TaskChange[],
): TaskChange[] {
  const { objects } = reader;
  const sees = (type: GrantedType, id: number | null | undefined): boolean =>
    id == null || !objects || objects.sees({ type, id });
  const unseen = new Set(
    aboutObjects.flatMap(({ type, idOf, names }) =>
      sees(type, idOf(before)) && sees(type, idOf(after)) ? [] : names,
    ),
  );
  const unread = (['environment', 'inventory'] as const).filter(
    (about) => !mayRead(reader, about, before) || !mayRead(reader, about, after),
  );
  const isUnread = ({ kind }: TaskChange): boolean =>
    unread.some((about) => content[kind] === about);
  const general = unread
    .filter((about) => changes.some(({ kind }) => content[kind] === about))
    .map((kind) => hidden({ kind, what: '' }));
  const shown = changes.filter((change) => !isUnread(change));
  return [...shown.map((change) => withoutUnseen(change, unseen)), ...general];
}

function withoutUnseen(change: TaskChange, unseen: ReadonlySet<string>): TaskChange {
  const { kind, what, how } = change;
  if (kind === 'commits') return unseen.has('repository') ? { ...change, range: null } : change;
  if (kind === 'image' && unseen.has(kind)) return hidden({ kind, what: '' }, how);
  return kind === 'setting' && unseen.has(what) ? hidden({ kind, what }, how) : change;
}
