import type { TaskChange } from '#shared/api/task-changes.ts';
import { t } from '../../../lib/i18n.ts';
import { TimeAgo } from '../../../lib/time-text.tsx';
import { safeAddress } from '../log-view/links.ts';

const shortHash = (hash: string): string => hash.slice(0, 10);

type Range = NonNullable<TaskChange['range']>;

export function ChangedCommits({ change, words }: { change: TaskChange; words: string }) {
  const { range, before, after } = change;
  return (
    <div className="flex wrap baseline gap-2-8 grow">
      <span className="weight-550 break">{words}</span>
      <span>
        <code>{shortHash(before ?? '')}</code>
        <span aria-hidden="true">{' → '}</span>
        <code>{shortHash(after ?? '')}</code>
      </span>
      {range && <Commits range={range} />}
    </div>
  );
}

function Commits({ range: { added, removed, commits } }: { range: Range }) {
  const isCut = commits.length < (added || removed);
  return (
    <>
      <ol className="grid gap-2" style={{ flexBasis: '100%', paddingTop: 2 }}>
        {commits.map((commit) => (
          <li key={commit.hash} className="flex wrap baseline gap-2-8">
            <Hash commit={commit} />
            <span className="min-w-0 break">{commit.subject}</span>
            <span className="soft">{commit.author}</span>
            <span className="soft">
              <TimeAgo time={commit.time} />
            </span>
          </li>
        ))}
      </ol>
      {isCut && (
        <p className="soft" style={{ padding: '6px 0 2px' }}>
          {t('task.changes.commits.newest', { count: commits.length })}
        </p>
      )}
    </>
  );
}

/** The hash, linked to the commit at the repository's host if the URL is known. */
function Hash({ commit: { hash, url } }: { commit: Range['commits'][number] }) {
  const short = <code>{shortHash(hash)}</code>;
  const href = url === null ? undefined : safeAddress(url);
  if (href === undefined) return short;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {short}
    </a>
  );
}
