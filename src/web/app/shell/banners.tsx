import { useSuspenseQuery } from '@tanstack/react-query';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { MAX_CONNECTIONS } from '#shared/api/live.ts';
import { systemQueries } from '../../features/system/system.queries.ts';
import { t } from '../../lib/i18n.ts';
import { live } from '../../lib/live.ts';
import classes from './banners.module.css';

export function Banners() {
  const { data: info } = useSuspenseQuery(systemQueries.info());
  const connection = useSyncExternalStore(live.watch, live.state);
  const missing = info.missing_programs;
  return (
    <output className="block">
      {missing.length > 0 && (
        <span
          className="row gap-10 weight-500 tone-warning page-gutter border-bottom"
          style={{ paddingBlock: 9 }}
        >
          <IconAlertTriangle size={18} aria-hidden="true" />
          <span>{t('banner.missing_programs', { programs: missing.join(', ') })}</span>
        </span>
      )}
      {connection !== 'connected' && (
        <span
          className={`row gap-10 weight-500 tone-warning page-gutter border-bottom ${classes.late}`}
          style={{ paddingBlock: 9 }}
        >
          <IconPlugConnectedX size={18} aria-hidden="true" />
          <span>
            {connection === 'lost'
              ? t('banner.connection_lost')
              : t('banner.too_many_connections', { most: MAX_CONNECTIONS })}
          </span>
        </span>
      )}
    </output>
  );
}
