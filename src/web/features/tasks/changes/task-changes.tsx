import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ChangedSetting,
  changedSettings,
  type TaskChange,
  type TaskChanges as Changes,
} from '#shared/api/task-changes.ts';
import type { Task } from '#shared/api/tasks.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { TimeAgo } from '../../../lib/time-text.tsx';
import { taskQueries } from '../tasks.queries.ts';
import { safeAddress } from '../log-view/links.ts';
import classes from '../summary.module.css';

/**
 * What has changed since the last success of the template, for a finished task: expanded for a
 * failed one, on request for others.
 */
export function TaskChanges({ task }: { task: Task }) {
  const [opened, setOpened] = useState(false);
  const isFailed = task.status === 'error';
  const { data, error, refetch } = useQuery({
    ...taskQueries.changes(task.project_id, task.id),
    enabled: isFailed || opened,
  });
  // `WhyFailed` has the same message.
  if (isFailed && data?.since === null) return null;
  const { since, changes = [] } = data ?? {};
  return (
    <details
      className={`flex-none gutter py-4 small border-bottom ${classes.folded}`}
      open={opened}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>
        <span className={isFailed ? 'weight-550' : 'soft'}>
          {since ? t('task.changes.title', { id: since.id }) : t('task.changes.ask')}
        </span>
        {since && <Outline changes={changes} />}
      </summary>
      {opened && <Opened data={data} error={error} onRetry={() => void refetch()} />}
    </details>
  );
}

interface OpenedProps {
  data: Changes | undefined;
  error: Error | null;
  onRetry: () => void;
}

function Opened({ data, error, onRetry }: OpenedProps) {
  if (data) return <ChangeList data={data} />;
  if (error) return <Failure message={errorWords(error)} onRetry={onRetry} />;
  return <Skeleton width="40%" />;
}

function Outline({ changes }: Pick<Changes, 'changes'>) {
  const [first] = changes;
  const newest = first?.range && first.range.added > 0 ? first.range.commits[0] : undefined;
  if (!first) return <span className="soft">{t('task.changes.nothing')}</span>;
  return (
    <>
      <span className="break">{lineOf(first, changes)}</span>
      {newest && <span className="break">{newest.subject}</span>}
      {changes.length > 1 && (
        <span className="soft">{t('task.changes.further', { count: changes.length - 1 })}</span>
      )}
    </>
  );
}

const isOtherBranch = (changes: TaskChange[]): boolean =>
  changes.some(({ kind, what }) => kind === 'setting' && what === 'branch');

const lineOf = (change: TaskChange, changes: TaskChange[]): string =>
  change.kind === 'commits' ? commitWords(change, isOtherBranch(changes)) : changedSubject(change);

function ChangeList({ data: { since, changes } }: { data: Changes }) {
  if (!since)
    return (
      <p className="soft" style={{ padding: '6px 0 2px' }}>
        {t('task.changes.never')}
      </p>
    );
  if (changes.length === 0)
    return (
      <p className="soft" style={{ padding: '6px 0 2px' }}>
        {t('task.changes.nothing')}
      </p>
    );
  return (
    <ul
      className="grid gap-6 overflow-auto"
      style={{ maxHeight: '34vh', padding: '8px 0 4px' }}
      aria-label={t('task.changes.title', { id: since.id })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
      tabIndex={0}
    >
      {changes.map((change) => (
        <li
          key={[change.kind, change.how, change.what, change.before, change.after].join(' ')}
          className="flex wrap baseline gap-2-8"
        >
          {change.kind === 'commits' ? (
            <ChangedCommits change={change} words={lineOf(change, changes)} />
          ) : (
            <Change change={change} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Change({ change }: { change: TaskChange }) {
  const { how, before, after } = change;
  const isShown = before !== null && after !== null;
  return (
    <>
      <span className="weight-550 break">{changedSubject(change)}</span>
      {!isShown && <span className="soft">{t(`task.changes.how.${how}`)}</span>}
      {before !== null && <Value change={change} value={before} isOld />}
      {isShown && <span aria-hidden="true">{'→'}</span>}
      {after !== null && <Value change={change} value={after} />}
    </>
  );
}

interface ValueProps {
  change: TaskChange;
  value: string;
  isOld?: boolean;
}

function Value({ change, value, isOld = false }: ValueProps) {
  const text = <code className="break pre-wrap">{changedValue(change, value)}</code>;
  return isOld ? <del>{text}</del> : <ins>{text}</ins>;
}

const shortHash = (hash: string): string => hash.slice(0, 10);

type Range = NonNullable<TaskChange['range']>;

function ChangedCommits({ change, words }: { change: TaskChange; words: string }) {
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

const settings: Record<ChangedSetting, () => string> = {
  app: () => t('template.app'),
  arguments: () => t('template.flag.allow_override_args_in_task'),
  auto_approve: () => t('new_task.auto_approve'),
  branch: () => t('new_task.branch'),
  cpu_limit: () => t('template.more.cpu_limit_percent'),
  debug: () => t('new_task.debug'),
  diff: () => t('new_task.diff'),
  dry_run: () => t('new_task.dry_run'),
  environments: () => t('template.column.environment'),
  execution_environment: () => t('task.changes.setting.execution_environment'),
  execution_kind: () => t('task.changes.setting.execution_kind'),
  execution_options: () => t('task.changes.setting.execution_options'),
  image: () => t('task.changes.kind.image'),
  incoming_version: () => t('task.column.version'),
  install_requirements: () => t('template.requirements.label'),
  inventory_branch: () => t('task.changes.setting.inventory_branch'),
  inventory_repository: () => t('task.changes.setting.inventory_repository'),
  inventory_type: () => t('task.changes.setting.inventory_type'),
  limit: () => t('new_task.limit'),
  memory_limit: () => t('template.more.memory_limit_mib'),
  name: () => t('template.column.name'),
  packages: () => t('task.changes.setting.packages'),
  parallel: () => t('template.more.allow_parallel_tasks'),
  playbook: () => t('template.column.playbook'),
  process_limit: () => t('template.more.process_limit'),
  program: () => t('task.changes.kind.program'),
  repository: () => t('template.column.repository'),
  skip_tags: () => t('new_task.skip_tags'),
  submodules: () => t('repository.submodules'),
  tags: () => t('new_task.tags'),
  timeout: () => t('template.more.timeout_s'),
  type: () => t('template.form.type'),
  vaults: () => t('template.form.vaults'),
  working_directory: () => t('template.form.working_directory'),
};

const isSetting = (name: string): name is ChangedSetting =>
  (changedSettings as readonly string[]).includes(name);

const uses: Record<string, () => string> = {
  repository: settings.repository,
  inventory_repository: settings.inventory_repository,
  user: () => t('inventory.user_credentials'),
  become: () => t('inventory.sudo_credentials'),
  registry: () => t('task.changes.setting.registry'),
  vault: settings.vaults,
};

/** The name of what changed. A setting that a newer server added has its name in the API. */
function changedSubject({ kind, what }: TaskChange): string {
  if (kind === 'setting') return isSetting(what) ? settings[what]() : what;
  const of = kind === 'runner' ? t('task.fact.runner') : t(`task.changes.kind.${kind}`);
  const named = kind === 'key' ? (uses[what]?.() ?? what) : what;
  return named === '' ? of : `${of}: ${named}`;
}

function changedValue({ kind }: TaskChange, value: string): string {
  if (kind !== 'setting') return value;
  if (value === 'true') return t('common.yes');
  return value === 'false' ? t('common.no') : value;
}

/** How the commits of two tasks relate; `isOther`: the tasks ran different branches. */
function commitWords({ range }: TaskChange, isOther: boolean): string {
  if (range === null) return t('task.changes.commits.unknown');
  const { added, removed } = range;
  if (removed === 0) return t('task.changes.commits.ahead', { added });
  if (added === 0) return t('task.changes.commits.behind', { removed });
  return isOther
    ? t('task.changes.commits.other', { added, removed })
    : t('task.changes.commits.rewritten', { added, removed });
}
