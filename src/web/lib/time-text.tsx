// Times that keep themselves up to date.

import { useSyncExternalStore } from 'react';
import { languageTag, timeTag } from './i18n.ts';
import { duration, exactTime, relativeTime } from './time.ts';

// One timer for the page: a list has up to a thousand times.
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const idle = () => () => {};

/** The current time, updated each second while `running` is true. */
export function useNow(running: boolean): number {
  return useSyncExternalStore(running ? subscribe : idle, () => now);
}

/** The current time, updated each minute, so that most ticks render nothing. */
function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now / 15_000) * 15_000);
}

interface MomentProps {
  time: string;
  children: string;
}

/** A relative time; `ui/feedback/tips.tsx` shows the exact one, with its zone. */
function Moment({ time, children }: MomentProps) {
  const exact = exactTime(time, timeTag());
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the exact time is read with the keyboard too
    <time dateTime={time} data-exact={exact} aria-description={exact} tabIndex={0}>
      {children}
    </time>
  );
}

export function TimeAgo({ time }: { time: string | null }) {
  const minute = useMinute();
  if (time === null) return '—';
  return (
    <Moment time={time}>{relativeTime(time, Math.max(minute, Date.parse(time)), timeTag())}</Moment>
  );
}

/** The time until a due time: "in 5 minutes", and "now" after it. */
export function TimeAhead({ time }: { time: string }) {
  const minute = useMinute();
  return (
    <Moment time={time}>{relativeTime(time, Math.min(minute, Date.parse(time)), timeTag())}</Moment>
  );
}

export function Duration({ start, end }: { start: string | null; end: string | null }) {
  const current = useNow(start !== null && end === null);
  if (start === null) return '—';
  return (
    <span className="numbers">
      {duration(start, end === null ? current : Date.parse(end), languageTag)}
    </span>
  );
}
