import { type ReactNode, useId } from 'react';
import { Skeleton } from '../feedback/skeleton.tsx';
import classes from './rank-card.module.css';

interface RankEntry {
  key: number | string;
  name: ReactNode;
  value: ReactNode;
  /** Of the length of the bar behind the entry, from 0 to 1; without it, there is no bar. */
  share?: number;
}

interface Props {
  title: string;
  note?: string;
  /** Undefined while they load. */
  entries: RankEntry[] | undefined;
  /** The number of entries that are shown. */
  limit: number;
  /** What the card says without entries. */
  empty: string;
  /** In place of the entries. */
  failure?: ReactNode;
  isAboutFailures?: boolean;
}

/** A short list with a value of each entry, in the height of a few lines. */
export function RankCard({ title, note, entries, limit, empty, failure, isAboutFailures }: Props) {
  const id = useId();
  return (
    <section
      className={`min-w-0 bg-surface border rounded-8 ${classes.card}`}
      aria-labelledby={id}
      data-tone={isAboutFailures ? 'failure' : undefined}
    >
      <header className="flex baseline gap-8 small first-line">
        <h2 className="small weight-600 cut" id={id} title={title}>
          {title}
        </h2>
        {note && <span className="soft ml-auto">{note}</span>}
      </header>
      {failure}
      {entries?.length === 0 && <p className="small soft">{empty}</p>}
      <ul>
        {entries?.slice(0, limit).map(({ key, name, value, share = 0 }) => (
          <li
            key={key}
            className={`row between gap-10 small rounded-4 ${classes.entry}`}
            style={{ backgroundSize: `${share * 100}% 100%` }}
          >
            {name}
            <span className="flex-none numbers">{value}</span>
          </li>
        ))}
        {!entries && !failure && <SkeletonEntries count={limit} />}
      </ul>
    </section>
  );
}

function SkeletonEntries({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- they are all the same
    <li key={index} className={`row ${classes.entry}`}>
      <Skeleton width="80%" />
    </li>
  ));
}
