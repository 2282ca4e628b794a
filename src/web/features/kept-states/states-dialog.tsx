import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconStack2 } from '@tabler/icons-react';
import type { KeptState, KeptStates } from '#shared/api/kept-states.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { useConfirmed } from '../../resources/use-confirmed.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { actionsColumn, column } from '../../resources/columns.ts';
import { keptStateQueries, takeState } from './kept-states.queries.ts';
import { contentWords, kindWords } from './state-words.ts';

interface Props {
  projectId: number;
  templateId: number;
  opened: boolean;
  onClose: () => void;
}

/** The Terraform states that runners keep for a template; a copy can replace the current one. */
export function StatesDialog({ opened, onClose, ...props }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('kept_state.title')}
      size={720}
      help="terraform_state"
    >
      <States {...props} />
    </Dialog>
  );
}

function States({ projectId, templateId }: Pick<Props, 'projectId' | 'templateId'>) {
  const options = keptStateQueries.list(projectId, templateId);
  const { data, error, refetch } = useQuery({ ...options, staleTime: 0 });
  const taking = useConfirmed({
    mutation: takeState(),
    argsOf: ({ is, name, workspace, runner_id }: TakenState) => ({
      params: { project_id: projectId, template_id: templateId },
      body: { is, name, workspace, runner_id },
    }),
    wordsOf: (state) => {
      const action = state?.is === 'aside' ? t('kept_state.adopt') : t('kept_state.use');
      return { title: action, text: state ? takeWords(state) : '', action };
    },
    done: () => t('kept_state.taken'),
  });
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  return (
    <>
      <p className="pb-8 soft">{t('kept_state.hint')}</p>
      {data?.states.length === 0 ? (
        <EmptyState
          icon={<IconStack2 size={24} />}
          title={t('kept_state.none')}
          text={t('kept_state.none_text')}
        />
      ) : (
        <StateTable data={data} onAsk={taking.ask} />
      )}
      <Notes data={data} />
      {taking.dialog}
    </>
  );
}

function takeWords(state: KeptState): string {
  const { workspace, runner_name: runner } = state;
  return t('kept_state.take_text', { workspace, runner, content: contentWords(state) });
}

/** A state that can replace the current one. */
type TakenState = KeptState & { is: Exclude<KeptState['is'], 'current'> };

const canBeTaken = (state: KeptState): state is TakenState =>
  state.is !== 'current' && state.content === 'state';

interface TableProps {
  data: KeptStates | undefined;
  onAsk: (state: TakenState) => void;
}

function StateTable({ data, onAsk }: TableProps) {
  return (
    <DataTable
      label={t('kept_state.title')}
      columns={columnsOf(onAsk)}
      rows={data?.states}
      expectedRows={3}
      rowKey={({ runner_id: runner, is, name }) => `${runner} ${is} ${name}`}
    />
  );
}

const columnsOf = (onAsk: TableProps['onAsk']): Column<KeptState>[] => [
  column('state', t('kept_state.title'), { wide: true }, (state) => <StateCell state={state} />),
  actionsColumn(
    (state) =>
      canBeTaken(state) && (
        <Button variant="default" size="compact-sm" onClick={() => onAsk(state)}>
          {state.is === 'copy' ? t('kept_state.use') : t('kept_state.adopt')}
        </Button>
      ),
  ),
];

function StateCell({ state }: { state: KeptState }) {
  return (
    <div className="py-4 white-space-normal" title={state.lineage ?? undefined}>
      <div>{kindWords(state)}</div>
      <div className="flex wrap small soft" style={{ columnGap: 12 }}>
        <span className={state.content === 'state' ? '' : 'color-danger'}>
          {contentWords(state)}
        </span>
        <span>{t('kept_state.workspace', { name: state.workspace })}</span>
        <span>{state.runner_name}</span>
        <TimeAgo time={state.time} />
      </div>
    </div>
  );
}

function Notes({ data }: { data: KeptStates | undefined }) {
  if (!data) return null;
  const { silent, is_cut: isCut } = data;
  return (
    <>
      {silent.length > 0 && (
        <p className="pt-8 soft">{t('kept_state.silent', { runners: silent.join(', ') })}</p>
      )}
      {isCut && <p className="pt-8 soft">{t('kept_state.cut')}</p>}
    </>
  );
}
