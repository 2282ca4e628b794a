import type { App } from '#shared/api/apps.ts';
import { t } from '../../lib/i18n.ts';
import { appProblem } from '../apps/apps.queries.ts';
import classes from './app-name.module.css';

/** The name of an app, with a remark when it cannot run; `apps` is undefined until they are known. */
export function AppName({ id, apps }: { id: string; apps: App[] | undefined }) {
  const problem = appProblem(apps, id);
  const title = apps?.find((app) => app.id === id)?.title ?? id;
  return (
    <>
      {title}
      {problem && <span className={classes.problem}>{t(`app.${problem.reason}_short`)}</span>}
    </>
  );
}
