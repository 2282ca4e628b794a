import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Template } from '#shared/api/templates.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Bone } from '../../ui/bones.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { appProblem, appQueries } from '../apps/apps.queries.ts';
import { RunButton } from './run-button.tsx';
import classes from './template-page.module.css';
import { templateQueries } from './templates.queries.ts';
import { useResourceNames } from './use-resource-names.ts';

interface Props {
  projectId: number;
  templateId: number;
  mayRun: boolean;
  onRun: () => void;
  /** The tasks of the template. */
  children: ReactNode;
}

export function TemplatePage({ projectId, templateId, mayRun, onRun, children }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(templateQueries.one(projectId, templateId));
  const above = (
    <nav aria-label={t('common.breadcrumb')}>
      <Link to="/project/$projectId/templates" params={{ projectId }}>
        {t('template.list')}
      </Link>
    </nav>
  );
  if (error && !data) {
    return (
      <Page title={t('template.one')} above={above}>
        <Failure message={errorWords(error)} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={data?.name ?? t('template.one')}
      above={above}
      actions={data && <RunButton mayRun={mayRun} template={data} onClick={onRun} />}
    >
      {data?.description && <p className={`soft break ${classes.text}`}>{data.description}</p>}
      <Facts projectId={projectId} template={data} />
      <h2 className={classes.heading}>{t('task.history')}</h2>
      {children}
    </Page>
  );
}

function Facts({ projectId, template }: { projectId: number; template: Template | undefined }) {
  const { t } = useTranslation();
  const names = useResourceNames(projectId);
  const fact = (name: string, value: (template: Template) => ReactNode) => (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd className="break">{template ? value(template) : <Bone width={110} />}</dd>
    </div>
  );
  return (
    <dl className={classes.facts}>
      {fact(t('template.app'), ({ app }) => (
        <AppName id={app} />
      ))}
      {fact(t('template.column.playbook'), ({ playbook }) => (
        <code>{playbook || '—'}</code>
      ))}
      {fact(t('template.column.inventory'), ({ inventory_id: id }) => names.inventory(id))}
      {fact(t('template.column.environment'), ({ environment_id: id }) => names.environment(id))}
      {fact(t('template.column.repository'), ({ repository_id: id, git_branch: branch }) => (
        <>
          {names.repository(id)} {branch && <code>{branch}</code>}
        </>
      ))}
      {fact(t('template.launched'), ({ tasks }) => t('template.times', { count: tasks }))}
    </dl>
  );
}

/** Says also when it cannot run. */
function AppName({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(appQueries.list());
  const problem = appProblem(data, id);
  const title = data?.find((app) => app.id === id)?.title ?? id;
  return (
    <>
      {title}
      {problem && <span className={classes.problem}>{t(`app.${problem.reason}_short`)}</span>}
    </>
  );
}
