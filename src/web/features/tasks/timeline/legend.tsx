import { memo } from 'react';
import { t } from '../../../lib/i18n.ts';
import { counts as countColumns } from '../outline/outline.ts';
import { laneHeight, shapesOf } from './shapes.ts';
import classes from './timeline.module.css';

const scale = { from: 0, rate: 1, width: 16 };

/** Every result with the shape and color of its bars. */
export const Legend = memo(function Legend() {
  return (
    <ul className={`flex wrap smaller soft ${classes.legend}`} aria-label={t('timeline.legend')}>
      {countColumns.map((state) => (
        <li key={state} className="row gap-6 nowrap">
          <svg
            width={16}
            height={20}
            viewBox={`0 ${(laneHeight - 20) / 2} 16 20`}
            aria-hidden="true"
          >
            {shapesOf([{ begin: 2, end: 14, state, section: null }], scale).map(({ path }) => (
              <path key={state} data-state={state} d={path} />
            ))}
          </svg>
          {t(`task.hosts.${state}`)}
        </li>
      ))}
    </ul>
  );
});
