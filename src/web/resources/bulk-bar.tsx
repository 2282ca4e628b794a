// The actions with the selected rows of a list: asks before, and lists afterwards what failed.

import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type BulkResult, MAX_BULK_IDS } from '#shared/api/bulk.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { t } from '../lib/i18n.ts';
import { RowMenu } from '../ui/buttons/row-menu.tsx';
import { OnceOpened } from '../ui/dialogs/once-opened.tsx';
import { toast } from '../ui/feedback/toast.ts';
import { lazyExport } from '../ui/lazy-export.ts';
import { SelectionBar } from '../ui/lists/selection-bar.tsx';
import type { Selection } from '../ui/lists/use-selection.ts';
import type { BulkAction, BulkFailure, BulkValue } from './bulk-action.ts';
import { toastFailure } from './use-confirmed.tsx';

const BulkQuestion = lazyExport(() => import('./bulk-question.tsx'), 'BulkQuestion');
const BulkFailures = lazyExport(() => import('./bulk-failures.tsx'), 'BulkFailures');

interface BulkOptions<Row> {
  idOf: (row: Row) => number;
  /** The lists that an action changes. */
  refresh: Endpoint[];
}

interface Sent<Row> {
  action: BulkAction<Row>;
  rows: Row[];
  value: BulkValue;
}

/** Sends at most as many ids at once as the server accepts. */
async function callAll({ call }: Pick<BulkAction, 'call'>, ids: number[], value: BulkValue) {
  const results: BulkResult[] = [];
  for (let from = 0; from < ids.length; from += MAX_BULK_IDS) {
    results.push(...(await call(ids.slice(from, from + MAX_BULK_IDS), value)));
  }
  return results;
}

const rowsOf = <Row,>({ appliesTo }: BulkAction<Row>, { selected }: Selection<Row>): Row[] =>
  appliesTo ? selected.filter(appliesTo) : selected;

export function useBulk<Row>({ idOf, refresh }: BulkOptions<Row>) {
  const [failures, setFailures] = useState<BulkFailure[]>([]);
  const [opened, setOpened] = useState(false);
  const mutation = useMutation({
    mutationFn: ({ action, rows, value }: Sent<Row>) => callAll(action, rows.map(idOf), value),
    meta: { refresh: refresh.map(({ path }) => path) },
    onError: toastFailure,
  });
  const focusList = useRef<() => void>(() => undefined);
  const send = async (selection: Selection<Row>, action: BulkAction<Row>, value: BulkValue) => {
    const rows = rowsOf(action, selection);
    const results = await mutation.mutateAsync({ action, rows, value });
    const failed = new Map(results.filter(({ ok }) => !ok).map((one) => [one.id, one]));
    const kept = rows.filter((row) => failed.has(idOf(row)));
    selection.keep(kept);
    focusList.current = selection.focusList;
    focusList.current();
    if (kept.length === 0) {
      toast(t('bulk.done', { action: action.label(rows.length) }));
      return;
    }
    setFailures(
      kept.flatMap((row) => {
        const result = failed.get(idOf(row));
        return result ? [{ name: selection.nameOf(row), result }] : [];
      }),
    );
    setOpened(true);
  };
  const onClose = () => {
    setOpened(false);
    focusList.current();
  };
  return { send, isPending: mutation.isPending, failures, opened, onClose };
}

type Bulk<Row> = ReturnType<typeof useBulk<Row>>;

/** Stays mounted without a selection, which a deletion removes together with its rows. */
export function BulkFailureDialog({
  bulk,
}: {
  bulk: Pick<Bulk<never>, 'failures' | 'opened' | 'onClose'>;
}) {
  return (
    <OnceOpened opened={bulk.opened}>
      <BulkFailures {...bulk} />
    </OnceOpened>
  );
}

/** The number of actions that fit into one line; the others are in a menu. */
function useButtonCount(): number {
  const isWide = useMediaQuery('(min-width: 1500px)', true, { getInitialValueInEffect: false });
  const isMedium = useMediaQuery('(min-width: 600px)', true, { getInitialValueInEffect: false });
  if (isWide) return Infinity;
  return isMedium ? 2 : 1;
}

interface BarProps<Row> {
  bulk: Pick<Bulk<Row>, 'send' | 'isPending'>;
  selection: Selection<Row>;
  actions: BulkAction<Row>[];
}

export function BulkBar<Row>({ bulk, selection, actions }: BarProps<Row>) {
  const [asked, setAsked] = useState<BulkAction<Row> | null>(null);
  const [opened, setOpened] = useState(false);
  const buttonCount = useButtonCount();
  const possible = actions.filter((action) => rowsOf(action, selection).length > 0);
  const buttons = possible.slice(0, buttonCount);
  const inMenu = possible.slice(buttons.length);
  const labelOf = (action: BulkAction<Row>) => action.label(rowsOf(action, selection).length);
  const ask = (action: BulkAction<Row>) => {
    setAsked(action);
    setOpened(true);
  };
  const confirm = (value: BulkValue) => {
    if (!asked) return;
    const close = () => setOpened(false);
    // A failure of the whole call was shown as a toast.
    bulk.send(selection, asked, value).then(close, close);
  };
  return (
    <>
      <SelectionBar selection={selection}>
        {buttons.map((action, index) => (
          <Button
            key={action.key}
            size="compact-sm"
            variant={index === 0 ? 'filled' : 'default'}
            {...(action.isDangerous && { color: 'danger', variant: 'light' })}
            leftSection={action.icon}
            onClick={() => ask(action)}
          >
            {labelOf(action)}
          </Button>
        ))}
        {inMenu.length > 0 && (
          <RowMenu
            label={t('common.actions')}
            items={() =>
              inMenu.map((action) => ({
                label: labelOf(action),
                icon: action.icon,
                isDangerous: action.isDangerous ?? false,
                onClick: () => ask(action),
              }))
            }
          />
        )}
      </SelectionBar>
      <OnceOpened opened={opened}>
        {asked && (
          <BulkQuestion
            // A field begins empty for each action.
            key={asked.key}
            opened={opened}
            action={asked}
            names={rowsOf(asked, selection).map(selection.nameOf)}
            busy={bulk.isPending}
            onConfirm={confirm}
            onClose={() => setOpened(false)}
          />
        )}
      </OnceOpened>
    </>
  );
}
