import { Button, Switch } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { IconArrowDown } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { pathOf } from '../../lib/api.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { live } from '../../lib/live.ts';
import { Failure } from '../../ui/failure.tsx';
import { LogRow } from './log-row.tsx';
import { LogSearchBox } from './log-search-box.tsx';
import type { LogStore } from './log-store.ts';
import classes from './task-log.module.css';
import { type LogSearch, useLogFinder } from './use-log-finder.ts';
import { useScaledScroll } from './use-scaled-scroll.ts';
import { useTaskLog } from './use-task-log.ts';

export function TaskLog({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { store, ready, failure } = useTaskLog(task);
  const [withTimes, setWithTimes] = useState(false);
  const search = useLogFinder(task, store);
  const input = useRef<HTMLInputElement>(null);
  useChanges(store);
  const lost = useSyncExternalStore(live.watch, live.isLost);
  const total = store.total();
  const finished = isFinished(task.status);
  const [wholeLine] = useState(() => (from: number) => {
    const params = { project_id: task.project_id, task_id: task.id };
    return pathOf(tasks.text, { params, query: { from, limit: 1 } });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!asksForSearch(event) || event.target === input.current) return;
    event.preventDefault();
    input.current?.select();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the log
    <section className={classes.log} aria-label={t('log.section')} onKeyDown={onKeyDown}>
      <div className={classes.bar}>
        <span className="soft numbers">{t('log.lines', { count: total })}</span>
        <output className={classes.lost}>{lost && !finished && t('log.lost')}</output>
        <LogSearchBox {...search} input={input} />
        <Switch
          size="xs"
          label={t('log.times')}
          checked={withTimes}
          onChange={(event) => setWithTimes(event.currentTarget.checked)}
        />
      </div>
      {failure !== null && <Failure message={errorWords(failure)} />}
      {ready && total === 0 && (
        <p className={classes.empty}>
          {task.log_removed ? t('log.removed') : finished ? t('log.empty') : t('log.waiting')}
        </p>
      )}
      <Lines
        store={store}
        withTimes={withTimes}
        finished={finished}
        search={search}
        wholeLine={wholeLine}
      />
    </section>
  );
}

const asksForSearch = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey ? key === 'f' : key === '/';

/** Renders again when lines arrive, at most once a frame. */
function useChanges(store: LogStore): void {
  const [watch] = useState(() => (listener: () => void) => {
    let frame = 0;
    const unwatch = store.watch(() => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        listener();
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      unwatch();
    };
  });
  useSyncExternalStore(watch, store.version);
}

/** Scrolls sideways to the hit, when it lies beside what is seen; false: it is not there yet. */
function showSideways(frame: HTMLElement | null): boolean {
  const mark = frame?.querySelector('[data-hit] mark');
  if (!frame || !mark) return false;
  const seen = frame.getBoundingClientRect();
  const { left, right } = mark.getBoundingClientRect();
  if (right > seen.right) frame.scrollLeft += right - seen.right + seen.width / 3;
  else if (left < seen.left) frame.scrollLeft -= seen.left - left + seen.width / 3;
  return true;
}

interface LinesProps {
  store: LogStore;
  withTimes: boolean;
  finished: boolean;
  search: LogSearch;
  wholeLine: (number: number) => string;
}

function Lines({ store, withTimes, finished, search, wholeLine }: LinesProps) {
  const { t } = useTranslation();
  const total = store.total();
  const frame = useRef<HTMLDivElement>(null);
  const scroll = useScaledScroll(frame, total);
  const { first, last } = scroll;
  const { finder, found, pattern } = search;
  const hit = found.hits[found.at]?.line ?? null;
  useEffect(() => store.need(first + 1, last));
  useEffect(() => finder.lookFrom(scroll.top + 1));
  // The line of a hit may have to be loaded first.
  const isAwaited = useRef(false);
  useEffect(() => {
    if (isAwaited.current && showSideways(frame.current)) isAwaited.current = false;
  });
  const showHit = useEffectEvent((line: number) => {
    isAwaited.current = true;
    scroll.toRow(line - 1);
  });
  useEffect(() => finder.onJump((line) => showHit(line)), [finder]);

  // Wide enough for the highest number, so that the text does not move while scrolling.
  const digits = Math.max(3, String(total).length);
  return (
    <div className={classes.frame}>
      {/* Announcing every line would drown a screen reader; the status is announced instead. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- scrolling by keyboard */}
      <div
        ref={frame}
        className={classes.scroll}
        role="log"
        aria-live="off"
        aria-label={t('log.label')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
        tabIndex={0}
        onScroll={scroll.onScroll}
        onKeyDown={scroll.onKeyDown}
      >
        <div className={classes.list} style={{ height: scroll.height }}>
          <div className={classes.rows} style={{ transform: `translateY(${scroll.shift}px)` }}>
            {Array.from({ length: Math.max(0, last - first) }, (_, index) => (
              <LogRow
                key={first + index + 1}
                number={first + index + 1}
                line={store.line(first + index + 1)}
                digits={digits}
                withTime={withTimes}
                pattern={pattern}
                isHit={first + index + 1 === hit}
                wholeLine={wholeLine}
              />
            ))}
          </div>
        </div>
      </div>
      {!scroll.following && total > 0 && (
        <Button
          className={classes.jump}
          size="compact-md"
          leftSection={<IconArrowDown size={16} />}
          onClick={scroll.toEnd}
        >
          {finished ? t('log.to_end') : t('log.follow')}
        </Button>
      )}
    </div>
  );
}
