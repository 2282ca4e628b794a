import { Skeleton } from '../../../ui/feedback/skeleton.tsx';

export function RunSkeleton() {
  return (
    <div
      className="grid flex-1"
      style={{ alignContent: 'start', gap: 18, padding: 18 }}
      aria-busy="true"
    >
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} width="100%" height={18} />
      ))}
    </div>
  );
}
