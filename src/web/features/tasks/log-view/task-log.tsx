import {
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { pathOf } from '#shared/api/path.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { live } from '../../../lib/live.ts';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { useLineAddress } from '../log/line-address.ts';
import { LogBar } from './log-bar.tsx';
import { LogLines } from './log-lines.tsx';
import { useFolding, useOutline } from '../outline/use-outline.ts';
import { useLogFinder, useOpening, useTaskLog } from '../log/use-task-log.ts';

const LogOutline = lazyExport(() => import('../outline/log-outline.tsx'), 'LogOutline');

const MarkedLines = lazyExport(() => import('./marked-lines.tsx'), 'MarkedLines');

/** The outline fits beside the log. */
const isWide = (): boolean => matchMedia('(min-width: 1100px)').matches;

/** On a low screen, or a zoomed one, the log and its tools are scrolled to the top. */
function scrollToTopIfLow(section: HTMLElement | null): void {
  if (matchMedia('(max-height: 420px)').matches) section?.scrollIntoView({ block: 'start' });
}

/** `beside`: the content in the row of the tools. */
export function TaskLog({ task, beside }: { task: Task; beside: ReactNode }) {
  const { store, ready, failure } = useTaskLog(task);
  const [withTimes, setWithTimes] = useState(false);
  const [wrap, setWrap] = useState(false);
  const [withOutline, setWithOutline] = useState(isWide);
  const search = useLogFinder(task, store);
  const folding = useFolding(useOutline(task, store, ready));
  const address = useLineAddress();
  const opensAt = useOpening(task, address);
  const input = useRef<HTMLInputElement>(null);
  const lost = useSyncExternalStore(live.watch, live.isLost);
  // Only components that show lines subscribe to them, so that the others do not render with each
  // line.
  const isEmpty = useSyncExternalStore(store.watch, () => store.total() === 0);
  const finished = isFinished(task.status);
  const [wholeLine] = useState(() => (from: number) => {
    const params = { project_id: task.project_id, task_id: task.id };
    return pathOf(tasks.text, { params, query: { from, limit: 1 } });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!asksForSearch(event) || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.current?.select();
  };
  const hasOutline = folding.outline.sections.length > 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the log
    <section
      ref={scrollToTopIfLow}
      className="column flex-1"
      style={{ minHeight: 320 }}
      aria-label={t('log.section')}
      onKeyDown={onKeyDown}
    >
      <LogBar
        store={store}
        lost={lost && !finished}
        search={search}
        input={input}
        address={address}
        folding={folding}
        outline={[withOutline, setWithOutline]}
        times={[withTimes, setWithTimes]}
        wrap={[wrap, setWrap]}
      >
        {beside}
      </LogBar>
      {failure !== null && <Failure message={errorWords(failure)} />}
      {/* The log is empty before the confirmation, and the card above gives the reason. */}
      {ready && isEmpty && task.status !== 'waiting_confirmation' && (
        <p className="gutter pt-16 soft bg-log-surface">
          {task.log_removed ? t('log.removed') : finished ? t('log.empty') : t('log.waiting')}
        </p>
      )}
      <div className="flex flex-1 min-h-0 relative">
        {opensAt !== undefined && (
          <LogLines
            task={task}
            store={store}
            opensAt={opensAt}
            withTimes={withTimes}
            wrap={wrap}
            finished={finished}
            search={search}
            address={address}
            folding={folding}
            wholeLine={wholeLine}
          />
        )}
        <Suspense>
          {hasOutline && withOutline && (
            <LogOutline
              outline={folding.outline}
              address={address}
              onClose={() => setWithOutline(false)}
            />
          )}
        </Suspense>
        <Suspense>{address.marked && <MarkedLines task={task} address={address} />}</Suspense>
      </div>
    </section>
  );
}

const asksForSearch = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey ? key === 'f' : key === '/';
