import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { type RunView, toView } from './run-address.ts';
import classes from '../../../ui/page/tabs.module.css';

interface Props {
  /** The views of the run, and the open one. */
  views: readonly RunView[];
  view: RunView;
}

const words = {
  log: 'log.section',
  hosts: 'run.hosts',
  tasks: 'run.tasks',
  timeline: 'timeline.title',
  plan: 'plan.title',
} as const;

export function RunTabs({ views, view }: Props) {
  return (
    <nav className={classes.tabs} data-small aria-label={t('run.views')}>
      {views.map((name) => (
        <Link
          key={name}
          to="."
          search={toView(name)}
          resetScroll={false}
          // Without this, the router takes the log, which has no parameter, for open in every view.
          activeOptions={{ explicitUndefined: true }}
          data-active={name === view || undefined}
          aria-current={name === view ? 'page' : undefined}
        >
          {t(words[name])}
        </Link>
      ))}
    </nav>
  );
}

export function RunSkeleton() {
  return (
    <div
      className="grid flex-1"
      style={{ alignContent: 'start', gap: 18, padding: 18 }}
      aria-busy="true"
    >
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} width="100%" height={18} />
      ))}
    </div>
  );
}

/** What a view of a run says in place of rows, or below them. */
export const RunNote = ({ children }: { children: string }) => (
  <p className="gutter soft" style={{ paddingBlock: 20 }}>
    {children}
  </p>
);
