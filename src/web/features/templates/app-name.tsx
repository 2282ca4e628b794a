import type { App } from '#shared/api/apps.ts';
import { t } from '../../lib/i18n.ts';
import { appProblem } from '../apps/apps.queries.ts';

/** The name of an app, with a remark if it cannot run; `apps` is undefined while it is loaded. */
export function AppName({ id, apps }: { id: string; apps: App[] | undefined }) {
  const problem = appProblem(apps, id);
  const title = apps?.find((app) => app.id === id)?.title ?? id;
  return (
    <>
      {title}
      {problem && (
        <span
          className="smaller tone-warning"
          style={{ padding: '1px 7px', marginLeft: 8, borderRadius: 10 }}
        >
          {t(`app.${problem.reason}_short`)}
        </span>
      )}
    </>
  );
}
