import { IconAlertTriangle } from '@tabler/icons-react';
import type { WholeTask } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { FailureGroups } from './failure-groups.tsx';
import { FailureReason } from './failure-reason.tsx';
import { useWhyFailed } from './use-why-failed.ts';
import classes from './why-failed.module.css';

interface Props {
  task: WholeTask;
  /** Whether no earlier comparable task has succeeded. */
  hasNeverWorked: boolean;
}

export function WhyFailed({ task, hasNeverWorked }: Props) {
  const { isLoading, groups, end } = useWhyFailed(task);
  if (isLoading) return null;
  if (groups.length === 0 && !task.failure) return null;
  return (
    <section
      className={`grid one-column gap-6 flex-none gutter border-bottom overflow-auto focus-inside ${classes.box}`}
      aria-label={t('run.why.title')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
      tabIndex={0}
    >
      <div className="flex wrap baseline" style={{ columnGap: 16 }}>
        <h2 className="row gap-8 small weight-620 color-danger">
          <IconAlertTriangle size={16} aria-hidden="true" />
          {t('run.why.title')}
        </h2>
        {hasNeverWorked && <p className="soft smaller">{t('task.changes.never')}</p>}
      </div>
      {groups.length > 0 ? (
        <FailureGroups groups={groups} />
      ) : (
        <FailureReason task={task} end={end} />
      )}
    </section>
  );
}
