import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';
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
          data-active={name === view || undefined}
          aria-current={name === view ? 'page' : undefined}
        >
          {t(words[name])}
        </Link>
      ))}
    </nav>
  );
}
