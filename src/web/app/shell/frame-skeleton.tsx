import { t } from '../../lib/i18n.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import classes from './shell.module.css';

export function FrameSkeleton() {
  return (
    <section className={`grid ${classes.frame}`} aria-busy="true" aria-label={t('common.loading')}>
      <div className={`column bg-page ${classes.sidebar}`}>
        <Skeleton width="80%" height={32} />
      </div>
      <div className="column" style={{ gap: 22, padding: '22px 28px' }}>
        <Skeleton width={180} height={22} />
        <Skeleton width="100%" />
        <Skeleton width="92%" />
        <Skeleton width="96%" />
      </div>
    </section>
  );
}
