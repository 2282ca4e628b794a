import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../lib/i18n.ts';
import { appProblem, appQueries } from '../apps/apps.queries.ts';
import classes from './app-name.module.css';

/** The name of an app, with a remark when it cannot run. */
export function AppName({ id }: { id: string }) {
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
