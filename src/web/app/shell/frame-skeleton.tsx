import { useTranslation } from '../../lib/i18n.ts';
import { Bone } from '../../ui/feedback/skeleton.tsx';
import classes from './shell.module.css';

/** The frame while the first screen is loaded. */
export function FrameBones() {
  const { t } = useTranslation();
  return (
    <div className={classes.frame} aria-busy="true" aria-label={t('common.loading')}>
      <div className={classes.sidebar}>
        <Bone width="80%" height={32} />
      </div>
      <div className={classes.bones}>
        <Bone width={180} height={22} />
        <Bone width="100%" />
        <Bone width="92%" />
        <Bone width="96%" />
      </div>
    </div>
  );
}
