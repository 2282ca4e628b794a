import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { environmentQueries } from '../../environments/environments.queries.ts';
import { inventoryQueries } from '../../inventories/inventories.queries.ts';
import { keyQueries } from '../../keys/keys.queries.ts';
import { repositoryQueries } from '../../repositories/repositories.queries.ts';
import classes from './first-steps.module.css';

/** Leads through what a first template needs; the button that makes it comes last. */
export function FirstSteps({ projectId, children }: { projectId: number; children: ReactNode }) {
  const { t } = useTranslation();
  const steps = [
    ['key', 'keys', useQuery(keyQueries.list(projectId)).data],
    ['repository', 'repositories', useQuery(repositoryQueries.list(projectId)).data],
    ['inventory', 'inventory', useQuery(inventoryQueries.list(projectId)).data],
    ['environment', 'environment', useQuery(environmentQueries.list(projectId)).data],
  ] as const;
  const at = (path: string): string => `/project/${projectId}/${path}`;
  const isDone = (list: readonly unknown[] | undefined) => (list?.length ?? 0) > 0;
  return (
    <>
      <ol className={classes.steps}>
        {steps.map(([name, path, list], index) => (
          <li key={name} className={classes.step} data-done={isDone(list) || undefined}>
            <span className={classes.mark} aria-hidden="true">
              {isDone(list) ? <IconCheck size={14} /> : index + 1}
            </span>
            <span>
              {isDone(list) ? (
                <span className={classes.name}>{t(`template.step.${name}_done`)}</span>
              ) : (
                <Link to={at(path)} search={{ edit: 'new' }} className={classes.name}>
                  {t(`template.step.${name}`)}
                </Link>
              )}
              <span className="soft">{t(`template.step.${name}_text`)}</span>
            </span>
          </li>
        ))}
      </ol>
      {children}
    </>
  );
}
