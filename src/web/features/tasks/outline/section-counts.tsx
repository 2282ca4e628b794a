import { t } from '../../../lib/i18n.ts';
import { counts, type Section } from './outline.ts';

const colors: Partial<Record<(typeof counts)[number], string>> = {
  ok: 'color-success',
  changed: 'color-warning',
  failed: 'color-danger weight-650',
  unreachable: 'color-danger weight-650',
};

/** The numbers of hosts by result, without zeros. */
export function SectionCounts({ section }: { section: Section }) {
  return counts
    .filter((name) => section[name] > 0)
    .map((name) => (
      <span key={name} className={`numbers nowrap ${colors[name] ?? 'soft'}`}>
        {t(`log.outline.${name}`, { count: section[name] })}
      </span>
    ));
}
