import type { Runner } from '#shared/api/runners.ts';
import { t } from '../../lib/i18n.ts';
import { Chip } from '../../ui/feedback/chip.tsx';
import classes from './runner-name.module.css';

/** The name of a runner; a chip marks remote runners. */
export function RunnerName({ name, remote }: Pick<Runner, 'name' | 'remote'>) {
  return (
    <span className={classes.name}>
      <span className="cut">{name}</span>
      {remote && <Chip tone="neutral">{t('runner.remote')}</Chip>}
    </span>
  );
}

/** What to do with a runner that has not registered yet, below its row. */
export function NewRunnerHint() {
  return <p className="soft">{t('runner.new_hint')}</p>;
}
