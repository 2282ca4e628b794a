import classes from './stats.module.css';

interface Props {
  /** The median of each day in seconds; null: no run. */
  medians: (number | null)[];
  /** In px. */
  height: number;
}

/** A bar for each day as high as its median duration; the bars above say the same in words. */
export function DurationStrip({ medians, height }: Props) {
  const longest = Math.max(1, ...medians.map((median) => median ?? 0));
  return (
    <div className="flex items-end" style={{ height, marginTop: 2 }} aria-hidden="true">
      {medians.map((median, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- a day is its place
          key={index}
          className={`grow ${classes.duration}`}
          style={{ height: median === null ? 0 : `${Math.max(10, (median / longest) * 100)}%` }}
        />
      ))}
    </div>
  );
}
