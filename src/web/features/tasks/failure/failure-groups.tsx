import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ShownFailure } from '#shared/api/run-results.ts';
import { t } from '../../../lib/i18n.ts';
import { OutcomeIcon } from '../results/outcome.tsx';
import { toHost, toLine } from '../results/run-address.ts';
import { FileLine } from '../results/task-source.tsx';
import classes from './why-failed.module.css';

const MAX_SHOWN = 3;
const MAX_HOSTS = 4;

/** The failures by their cause, unreachable hosts last. */
export function FailureGroups({ groups }: { groups: ShownFailure[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const sorted = groups.toSorted((one, other) => rank(one) - rank(other));
  return (
    <>
      <ul className="grid one-column gap-6">
        {sorted.slice(0, isWhole ? sorted.length : MAX_SHOWN).map((group) => (
          <li key={group.result} className={`flex items-start gap-8 ${classes.group}`}>
            <OutcomeIcon state={group.state} />
            <Group group={group} />
          </li>
        ))}
      </ul>
      {sorted.length > MAX_SHOWN && (
        <button
          type="button"
          className="small link-button"
          style={{ justifySelf: 'start' }}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? t('run.why.fewer') : t('run.why.all', { count: sorted.length })}
        </button>
      )}
    </>
  );
}

const rank = ({ state }: ShownFailure): number => (state === 'unreachable' ? 1 : 0);

function Group({ group }: { group: ShownFailure }) {
  const { task, message, line, hosts, host_count: count } = group;
  const rest = count - Math.min(hosts.length, MAX_HOSTS);
  const [first = ''] = hosts;
  const words = message || t(`task.hosts.${group.state}`);
  return (
    <div className="min-w-0">
      <p className="three-lines">
        <b className="break">{hosts.slice(0, MAX_HOSTS).join(', ')}</b>
        {rest > 0 && ` ${t('log.outline.more', { count: rest })}`}
        {': '}
        <Link
          to="."
          search={line === null ? toHost(first) : toLine(line)}
          resetScroll={false}
          className="break"
          title={words}
        >
          {words}
        </Link>
      </p>
      <p className="flex wrap smaller soft" style={{ columnGap: 12 }}>
        {group.state === 'unreachable' && <span>{t('task.hosts.unreachable')}</span>}
        {task && <span className="break">{t('log.outline.task', { name: task })}</span>}
        <FileLine task={group} />
      </p>
    </div>
  );
}
