import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';
import { type RunView, toView } from './run-address.ts';
import classes from '../../../ui/page/tabs.module.css';

interface Props {
  /** The views that the run has, and the one that is shown. */
  views: readonly RunView[];
  view: RunView;
}

const words = {
  log: 'log.section',
  hosts: 'run.hosts',
  tasks: 'run.tasks',
  plan: 'plan.title',
} as const;

/** The views of a run, such as its log, its hosts, its tasks or its plan, each with an address. */
export function RunTabs({ views, view }: Props) {
  return (
    <nav className={classes.tabs} data-small aria-label={t('run.views')}>
      {views.map((name) => (
        <Link
          key={name}
          to="."
          search={toView(name)}
          resetScroll={false}
          data-active={name === view || undefined}
          aria-current={name === view ? 'page' : undefined}
        >
          {t(words[name])}
        </Link>
      ))}
    </nav>
  );
}
