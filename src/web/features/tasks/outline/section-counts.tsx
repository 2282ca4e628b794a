import { useTranslation } from '../../../lib/i18n.ts';
import { counts, type Section } from './outline.ts';
import classes from './section-counts.module.css';

/** The results of a play or task, as numbers of hosts; results without hosts are left out. */
export function SectionCounts({ section }: { section: Section }) {
  const { t } = useTranslation();
  return counts
    .filter((name) => section[name] > 0)
    .map((name) => (
      <span key={name} className={classes.count} data-kind={name}>
        {t(`log.outline.${name}`, { count: section[name] })}
      </span>
    ));
}
