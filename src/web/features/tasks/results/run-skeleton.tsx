import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import classes from './run-view.module.css';

/** Stands where the rows of a view of a run will be. */
export function RunSkeleton() {
  return (
    <div className={classes.skeleton} aria-busy="true">
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} width="100%" height={18} />
      ))}
    </div>
  );
}
