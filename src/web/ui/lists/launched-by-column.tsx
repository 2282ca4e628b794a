import type { ComponentProps } from 'react';
import { t } from '../../lib/i18n.ts';
import { LaunchedBy } from '../page/launched-by.tsx';
import { roomForCharacters } from './column-room.ts';
import type { Column } from './data-table.tsx';

type Launcher = ComponentProps<typeof LaunchedBy>['launcher'];

/** `userOf` returns the name of the user, null for none. */
export const launchedByColumn = <Row extends { project_id: number; launcher: Launcher }>(
  userOf: (row: Row) => string | null,
): Column<Row> => ({
  key: 'user',
  title: t('task.column.user'),
  from: 'medium',
  room: roomForCharacters(14),
  cell: (row) => (
    <LaunchedBy projectId={row.project_id} user={userOf(row)} launcher={row.launcher} />
  ),
});
