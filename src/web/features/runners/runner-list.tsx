import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPlus, IconServer } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Runner } from '#shared/api/runners.ts';
import { t } from '../../lib/i18n.ts';
import { QueryTable } from '../../resources/query-table.tsx';
import { toastFailure, useConfirmed } from '../../resources/use-confirmed.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Section } from '../../ui/page/section.tsx';
import { NewRunnerHint, runnerColumns } from './runner-columns.tsx';
import { removeRunner, runnerQueries, updateRunner } from './runners.queries.ts';

interface Props {
  /** Null for all runners and servers. */
  projectId: number | null;
}

export function RunnerList({ projectId }: Props) {
  const onDrain = useDrain();
  const removal = useRemoval();
  return (
    <>
      <QueryTable
        result={useQuery(runnerQueries.list(projectId))}
        label={t(projectId === null ? 'admin.runners' : 'runner.of_project')}
        columns={runnerColumns({ onDrain, onForget: removal.ask }, projectId === null)}
        expectedRows={2}
        renderBelow={({ state }) => state === 'new' && <NewRunnerHint />}
        empty={
          <EmptyState
            icon={<IconServer size={24} />}
            title={t(projectId === null ? 'runner.none' : 'runner.of_project_none')}
          />
        }
      />
      {removal.dialog}
    </>
  );
}

function useDrain() {
  const update = useMutation(updateRunner());
  return (runner: Runner, draining: boolean): void =>
    update.mutate(
      { runner, body: { draining } },
      {
        onSuccess: () =>
          toast(t(draining ? 'runner.drained' : 'runner.resumed', { name: runner.name })),
        onError: toastFailure,
      },
    );
}

const useRemoval = () =>
  useConfirmed({
    mutation: removeRunner(),
    argsOf: (runner: Runner) => runner,
    wordsOf: removalWords,
    done: ({ remote, name }) => t(remote ? 'runner.removed' : 'runner.forgotten', { name }),
  });

function removalWords(runner: Runner | null) {
  const name = runner?.name ?? '';
  if (runner?.remote) {
    return {
      title: t('runner.remove_question'),
      text: t(runner.state === 'new' ? 'runner.remove_new_text' : 'runner.remove_text', { name }),
      action: t('runner.remove'),
    };
  }
  return {
    title: t('runner.forget_question'),
    text: t('runner.forget_text', { name }),
    action: t('runner.forget'),
  };
}

const NewRunnerDialog = lazyExport(() => import('./new-runner-dialog.tsx'), 'NewRunnerDialog');

interface NewRunnerProps {
  /** Null for all projects. */
  projectId: number | null;
}

export function NewRunner({ projectId }: NewRunnerProps) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Button
        leftSection={<IconPlus size={16} />}
        data-shortcut="n"
        onClick={() => setAdding(true)}
      >
        {t('runner.new')}
      </Button>
      <OnceOpened opened={isAdding}>
        <NewRunnerDialog projectId={projectId} opened={isAdding} onClose={() => setAdding(false)} />
      </OnceOpened>
    </>
  );
}

export function ProjectRunners({ projectId }: { projectId: number }) {
  return (
    <Section
      title={t('runner.of_project')}
      text={t('runner.of_project_text')}
      actions={<NewRunner projectId={projectId} />}
    >
      <RunnerList projectId={projectId} />
    </Section>
  );
}
