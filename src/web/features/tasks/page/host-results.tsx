import { useQuery } from '@tanstack/react-query';
import type { HostResult, Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import classes from './host-results.module.css';
import { taskQueries } from '../tasks.queries.ts';

const counts = ['ok', 'changed', 'unreachable', 'failed', 'skipped', 'rescued', 'ignored'] as const;

const isBad = ({ failed, unreachable }: HostResult): boolean => failed + unreachable > 0;

/** What became of each host of a finished task; nothing where its program has not told. */
export function HostResults({ task }: { task: Task }) {
  const { t } = useTranslation();
  const told = isFinished(task.status) && task.progress !== null;
  const { data } = useQuery({ ...taskQueries.hosts(task.project_id, task.id), enabled: told });
  if (!told || !data || data.length === 0) return null;
  const sorted = data.toSorted((one, other) => Number(isBad(other)) - Number(isBad(one)));
  return (
    <details className={classes.hosts}>
      <summary>
        {t('task.hosts.title', { count: data.length })}
        {', '}
        {t('task.hosts.bad', { count: data.filter(isBad).length })}
      </summary>
      <section
        className={classes.frame}
        aria-label={t('task.hosts.label')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
        tabIndex={0}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('task.hosts.host')}</th>
              {counts.map((name) => (
                <th key={name} scope="col" className={classes.count}>
                  {t(`task.hosts.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((host) => (
              <tr key={host.host} data-bad={isBad(host) || undefined}>
                <th scope="row">{host.host}</th>
                {counts.map((name) => (
                  <td key={name} className={`${classes.count} numbers`}>
                    {host[name]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
