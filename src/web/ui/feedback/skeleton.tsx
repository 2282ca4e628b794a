// Skeletons: grey shapes in the place of what is still being loaded.

import classes from './skeleton.module.css';

/** The skeleton of a line of text. */
export function Skeleton({
  width = '60%',
  height = 12,
}: {
  width?: number | string;
  height?: number;
}) {
  return <span className={classes.line} style={{ width, height }} aria-hidden="true" />;
}

/** The skeleton of a form. */
export function FormSkeleton({ fields = 3 }: { fields?: number }) {
  return (
    <div className={classes.form} aria-busy="true">
      {Array.from({ length: fields }, (_, index) => (
        <div key={index} className={classes.field}>
          <Skeleton width="30%" />
          <Skeleton width="100%" height={36} />
        </div>
      ))}
    </div>
  );
}
