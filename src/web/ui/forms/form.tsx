import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { Failure } from '../feedback/failure.tsx';
import { useFormFrame, useUnsaved } from './form-frame.ts';
import classes from './form.module.css';
import { type ChangeQuietly, QuietChanges } from './only-choice.ts';

interface Props {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  saving: boolean;
  message: string | null;
  requestId?: string | undefined;
  /** Whether the resource has changed since the form was opened. */
  isStale?: boolean;
  onOverwrite?: () => void;
  onReload?: () => void;
  isDirty?: () => boolean;
  changeQuietly?: ChangeQuietly;
  action: string;
  /** The accessible name of a form on a page; a dialog has a name itself. */
  label?: string;
  /** The content at the other end of the row of buttons. */
  aside?: ReactNode;
  /** Whether the form has no submit button. */
  readOnly?: boolean;
  children: ReactNode;
}

/** A form with its inputs, its failure and its buttons, in a `FormDialog` or on a page. */
export function Form(props: Props) {
  const { onSubmit, saving, message, requestId, isDirty, action, aside, readOnly, children } =
    props;
  const frame = useFormFrame();
  const isPage = frame?.kind === 'page';
  useUnsaved(readOnly ? undefined : isDirty);
  const failure = (
    <>
      <Failure message={message} requestId={requestId} />
      {props.isStale && <Stale {...props} />}
    </>
  );
  return (
    <form
      className="column gap-14"
      onSubmit={onSubmit}
      noValidate
      aria-busy={saving}
      aria-label={props.label}
    >
      {!isPage && failure}
      <QuietChanges value={props.changeQuietly ?? changeAloud}>{children}</QuietChanges>
      <div className={`flex wrap justify-end gap-10 pt-6 ${classes.buttons}`} data-in={frame?.kind}>
        {/* The top of a page may be out of sight. */}
        {isPage && message !== null && <div className="column gap-8 w-full">{failure}</div>}
        {aside && <div className="flex-1">{aside}</div>}
        {frame && (
          <Button variant="default" onClick={frame.close}>
            {readOnly ? t('common.close') : t('common.cancel')}
          </Button>
        )}
        {!readOnly && (
          <Button type="submit" loading={saving}>
            {action}
          </Button>
        )}
      </div>
    </form>
  );
}

const changeAloud: ChangeQuietly = (change) => change();

interface StaleProps {
  saving: boolean;
  onReload?: (() => void) | undefined;
  onOverwrite?: (() => void) | undefined;
}

/** The choices after a conflict: reload, or overwrite. */
export function Stale({ saving, onReload, onOverwrite }: StaleProps) {
  return (
    <div className="flex wrap gap-8">
      <Button variant="default" size="compact-sm" disabled={saving} onClick={onReload}>
        {t('form.reload')}
      </Button>
      <Button variant="default" size="compact-sm" disabled={saving} onClick={onOverwrite}>
        {t('form.overwrite')}
      </Button>
    </div>
  );
}
