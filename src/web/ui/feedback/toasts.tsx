import { CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { t } from '../../lib/i18n.ts';
import { toasts } from './toast.ts';
import classes from './toasts.module.css';

export function Toasts() {
  const { shown } = useSyncExternalStore(toasts.watch, toasts.state);
  const region = useRef<HTMLElement>(null);
  // Pages reserve this height at their end, so that content can be scrolled out from under a toast.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    // Without toasts nothing is measured, because that would force a layout of the whole page.
    if (shown.length === 0) style.removeProperty('--toasts-height');
    else style.setProperty('--toasts-height', `${region.current?.offsetHeight ?? 0}px`);
  }, [shown]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- pointing at it only keeps it there
    <section
      ref={region}
      className={`column gap-8 ${classes.toasts}`}
      aria-label={t('toast.list')}
      onPointerMove={() => toasts.hold('pointer')}
      onPointerLeave={() => toasts.release('pointer')}
      onFocus={() => toasts.hold('focus')}
      onBlur={() => toasts.release('focus')}
    >
      {shown.map(({ id, message, isError }) => (
        <div
          key={id}
          className={`flex items-start gap-10 color-text bg-raised border-strong rounded-8 shadow ${classes.toast}`}
          data-tone={isError ? 'danger' : 'success'}
          role={isError ? 'alert' : 'status'}
        >
          <span
            className={`flex-none ${isError ? '' : 'color-success'}`}
            style={{ height: 20 }}
            aria-hidden="true"
          >
            {isError ? <IconAlertTriangle size={18} /> : <IconCheck size={18} />}
          </span>
          <span className="grow break">{message}</span>
          <CloseButton
            size="sm"
            className={classes.close ?? ''}
            aria-label={t('common.close')}
            onClick={() => toasts.close(id)}
          />
        </div>
      ))}
    </section>
  );
}
