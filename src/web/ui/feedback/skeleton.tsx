// Skeletons: grey shapes in the place of what is still being loaded.

import classes from './skeleton.module.css';

export function Skeleton({
  width = '60%',
  height = 12,
}: {
  width?: number | string;
  height?: number;
}) {
  return (
    <span
      className={`inline-block max-w-full ${classes.line}`}
      style={{ width, height }}
      aria-hidden="true"
    />
  );
}

export function FormSkeleton({ fields = 3 }: { fields?: number }) {
  return (
    <div className="column gap-14" aria-busy="true">
      {Array.from({ length: fields }, (_, index) => (
        <div key={index} className="column gap-8">
          <Skeleton width="30%" />
          <Skeleton width="100%" height={36} />
        </div>
      ))}
    </div>
  );
}
