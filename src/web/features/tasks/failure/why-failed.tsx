import { IconAlertTriangle } from '@tabler/icons-react';
import type { WholeTask } from '#shared/api/tasks.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { FailureGroups } from './failure-groups.tsx';
import { FailureReason } from './failure-reason.tsx';
import { useWhyFailed } from './use-why-failed.ts';
import classes from './why-failed.module.css';

interface Props {
  task: WholeTask;
  /** Whether no earlier task that could be compared with it has succeeded. */
  hasNeverWorked: boolean;
}

/** Why a failed task failed, in one look. */
export function WhyFailed({ task, hasNeverWorked }: Props) {
  const { t } = useTranslation();
  const { isLoading, groups, end } = useWhyFailed(task);
  if (isLoading) return null;
  if (groups.length === 0 && !task.failure) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
    <section className={classes.box} aria-label={t('run.why.title')} tabIndex={0}>
      <div className={classes.head}>
        <h2 className={classes.title}>
          <IconAlertTriangle size={16} aria-hidden="true" />
          {t('run.why.title')}
        </h2>
        {hasNeverWorked && <p className="soft">{t('task.changes.never')}</p>}
      </div>
      {groups.length > 0 ? (
        <FailureGroups groups={groups} />
      ) : (
        <FailureReason task={task} end={end} />
      )}
    </section>
  );
}
