import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { t } from '../../../lib/i18n.ts';
import { focusedFirst, useFocusFirst } from '../../../ui/dialogs/focus-first.ts';
import type { LineAddress } from '../log/line-address.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { LogStore } from '../log/log-store.ts';
import type { Folding } from '../outline/use-outline.ts';
import { type LogSearch, useLogChanges } from '../log/use-task-log.ts';
import { LogRow } from './log-row.tsx';
import { PartialLine } from './partial-line.tsx';
import { useFailedLines } from './use-failed-lines.ts';
import { useRowHeights } from './use-row-heights.ts';
import { useInnerWidth } from '../../../ui/use-inner-size.ts';
import { useScaledScroll } from './use-scaled-scroll.ts';
import classes from './log-lines.module.css';

/** The number of row elements is a multiple of this, so that it rarely changes while scrolling. */
const poolStep = 32;

interface Props {
  task: Task;
  store: LogStore;
  /** The first visible line; null for the end of the log. */
  opensAt: number | null;
  withTimes: boolean;
  wrap: boolean;
  finished: boolean;
  search: LogSearch;
  address: LineAddress;
  folding: Folding;
  wholeLine: (number: number) => string;
}

/** The visible lines, in a list as long as the log. */
export function LogLines(props: Props) {
  const { store, opensAt, withTimes, wrap, finished, search, address, folding, wholeLine } = props;
  useLogChanges(store);
  const total = store.total();
  const { folds, outline, folded } = folding;
  const { marked, prefix } = address;
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(frame);
  const look = `${width} ${withTimes} ${wrap}`;
  const [openLines, setOpenLines] = useState<ReadonlySet<number>>(new Set());
  const heights = useRowHeights({ wrap: wrap || openLines.size > 0, look, lineAt: folds.lineAt });
  const scroll = useScaledScroll(frame, {
    count: folds.rows(total),
    heightOf: heights.heightOf,
    extra: heights.extra,
    follow: marked === null && opensAt === null,
  });
  const { first, last } = scroll;
  const lines = Array.from({ length: Math.max(0, last - first) }, (_, index) =>
    folds.lineAt(first + index),
  );
  const isFailure = useFailedLines(props.task, outline, lines);
  const { finder, found, pattern } = search;
  const hit = found.hits[found.at]?.line ?? null;
  // The outline has everything of the headings of folded sections but their times, so these lines
  // are loaded too.
  useEffect(() => {
    const open = lines.filter((line) => !folded.has(line));
    store.need(withTimes ? [...open, ...lines.filter((line) => folded.has(line))] : open);
  });
  useEffect(() => finder.lookFrom(folds.lineAt(scroll.top)));
  useLayoutEffect(() => heights.measure(list.current, first));
  useKeptPlace(folding, scroll);
  useFocusFirst(frame);
  useReveal(frame, props, { total, toRow: scroll.toRow });

  // A row element that leaves at one end is recycled at the other end; after a jump, all of them
  // are.
  const pool = Math.ceil(lines.length / poolStep) * poolStep;
  // Wide enough for the highest number, so that the text does not move while scrolling.
  const digits = Math.max(3, String(total).length);
  return (
    <div
      className={`grow min-h-0 bg-log-surface relative ${classes.frame}`}
      data-has-marked={marked !== null || undefined}
    >
      {/* Announcing every line would drown a screen reader; the status is announced instead. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- scrolling by keyboard */}
      <div
        ref={frame}
        className={`smaller font-mono overflow-auto ${classes.scroll}`}
        role="log"
        {...focusedFirst}
        aria-live="off"
        aria-label={t('log.label')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
        tabIndex={0}
        onScroll={scroll.onScroll}
        onKeyDown={(event) => {
          if (!extendMarked(event, address, total)) scroll.onKeyDown(event);
        }}
        onClick={(event) => {
          const line = jsonAt(event);
          if (line === null) clicked(event, address, folding);
          else setOpenLines((before) => before.symmetricDifference(new Set([line])));
        }}
      >
        <div className={`relative ${classes.list}`} style={{ height: scroll.height }}>
          <div
            ref={list}
            className={`absolute ${classes.rows}`}
            data-wrap={wrap || undefined}
            data-outline={outline.sections.length > 0 || undefined}
            style={{ transform: `translateY(${scroll.shift}px)` }}
          >
            {lines.map((number, index) => (
              <LogRow
                key={(first + index) % pool}
                number={number}
                line={store.line(number)}
                digits={digits}
                withTime={withTimes}
                pattern={pattern}
                isHit={number === hit}
                wholeLine={wholeLine}
                prefix={prefix}
                resultsPrefix={address.resultsPrefix}
                isMarked={marked !== null && number >= marked.from && number <= marked.to}
                section={outline.at.get(number)}
                isFolded={folded.has(number)}
                isFailure={isFailure(number, store.line(number)?.output ?? '')}
                isJsonOpen={openLines.has(number)}
              />
            ))}
          </div>
        </div>
      </div>
      <PartialLine store={store} />
      <JumpToEnd
        following={scroll.following}
        atEnd={scroll.atEnd}
        total={total}
        finished={finished}
        onJump={scroll.toEnd}
      />
    </div>
  );
}

/**
 * Clicks on line numbers mark lines, those on headings fold or lead to results; one listener for all
 * rows.
 */
function clicked(
  event: MouseEvent,
  { marked, mark, showResults }: LineAddress,
  { toggle }: Folding,
): void {
  if (!(event.target instanceof Element)) return;
  const fold = event.target.closest('[data-fold]')?.getAttribute('data-fold');
  if (fold) return toggle(Number(fold));
  // With these keys the browser opens a link in another tab or window.
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const section = event.target.closest('[data-results]')?.getAttribute('data-results');
  const link = event.target.closest('[data-line]')?.getAttribute('data-line');
  if (section ?? link) event.preventDefault();
  if (section) showResults(Number(section));
  if (link) markLine(Number(link), event.shiftKey, { marked, mark });
}

/** The line whose button for its JSON was clicked. */
function jsonAt({ target }: MouseEvent): number | null {
  const button = target instanceof Element ? target.closest('[data-json]') : null;
  return button && Number(button.getAttribute('data-json'));
}

type Marking = Pick<LineAddress, 'marked' | 'mark'>;

function markLine(line: number, isLonger: boolean, { marked, mark }: Marking): void {
  const isWhole = marked?.from === line && marked.to === line;
  if (isLonger && marked) {
    mark({ from: Math.min(marked.from, line), to: Math.max(marked.from, line) });
  } else mark(isWhole ? null : { from: line, to: line });
}

/** Shift and an arrow key mark one more line, or one fewer. */
function extendMarked(event: KeyboardEvent, { marked, mark }: LineAddress, total: number): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!marked || step === undefined || !event.shiftKey) return false;
  event.preventDefault();
  const to = Math.min(total, Math.max(marked.from, marked.to + step));
  mark({ from: marked.from, to });
  return true;
}

/** Keeps the top line in place when all sections are folded or unfolded at once. */
function useKeptPlace(
  { folds }: Folding,
  { top, offset, following, toPlace }: ReturnType<typeof useScaledScroll>,
): void {
  const kept = useRef({ folds, line: 1, offset: 0 });
  useLayoutEffect(() => {
    const { line, offset: before } = kept.current;
    if (kept.current.folds !== folds && !following) toPlace(folds.rowOf(line), before);
  });
  useEffect(() => {
    kept.current = { folds, line: folds.lineAt(top), offset };
  });
}

/**
 * Scrolls to the line of the search or the address: unfolds its section, and waits for a line that
 * does not exist yet.
 */
function useReveal(
  frame: RefObject<HTMLDivElement | null>,
  { store, opensAt, folding, search, address }: Props,
  // The number of rows of the same render: only these rows exist to scroll to.
  { total, toRow }: { total: number; toRow: (row: number) => void },
): void {
  const awaited = useRef(opensAt);
  const isBeside = useRef(false);
  const { folds, unfoldAround } = folding;
  const { finder } = search;
  const { marked } = address;
  const look = useEffectEvent(() => {
    const line = awaited.current;
    if (line === null || line > total || !frame.current?.clientHeight) return;
    if (folds.isHidden(line)) return unfoldAround(line);
    awaited.current = null;
    isBeside.current = true;
    toRow(folds.rowOf(line));
  });
  useEffect(() => {
    const reveal = (line: number) => {
      awaited.current = line;
      store.need([line]);
      look();
    };
    if (marked) reveal(marked.from);
    else if (awaited.current !== null) store.need([awaited.current]);
    return finder.onJump(reveal);
  }, [finder, marked, store]);
  useEffect(() => {
    look();
    // The line of a match may have to be loaded first.
    if (isBeside.current && showSideways(frame.current)) isBeside.current = false;
  });
}

/**
 * Scrolls sideways to a match outside the visible part; returns false if the line is not loaded
 * yet.
 */
function showSideways(frame: HTMLElement | null): boolean {
  const mark = frame?.querySelector('[data-hit] mark');
  if (!frame || !mark) return false;
  const seen = frame.getBoundingClientRect();
  const { left, right } = mark.getBoundingClientRect();
  if (right > seen.right) frame.scrollLeft += right - seen.right + seen.width / 3;
  else if (left < seen.left) frame.scrollLeft -= seen.left - left + seen.width / 3;
  return true;
}

interface JumpToEndProps {
  following: boolean;
  atEnd: boolean;
  total: number;
  finished: boolean;
  onJump: () => void;
}

/** Scrolls to the end and follows it; shows the number of new lines. */
function JumpToEnd({ following, atEnd, total, finished, onJump }: JumpToEndProps) {
  const [seen, setSeen] = useState(total);
  // After opening by the address of a line, only later lines count as new.
  if ((following || seen === 0) && seen !== total) setSeen(total);
  if (following || total === 0 || (finished && atEnd)) return null;
  const count = total - seen;
  return (
    <Button
      className={`shadow absolute ${classes.jump}`}
      size="compact-md"
      leftSection={<IconArrowDown size={16} />}
      onClick={onJump}
    >
      {finished ? t('log.to_end') : t('log.follow')}
      {count > 0 && <span className={`numbers ${classes.since}`}>{t('log.since', { count })}</span>}
    </Button>
  );
}
