import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { HelpTopic } from '../dialogs/help-topics.ts';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { Dialog } from '../dialogs/dialog.tsx';

interface FormFrame {
  /** Closes the dialog; asks first if there is unsaved input. */
  close: () => void;
  /**
   * Registers a function that returns whether the form has unsaved input; returns one that
   * unregisters it.
   */
  watch: (isDirty: () => boolean) => () => void;
}

const Context = createContext<FormFrame | null>(null);

export const useFormDialog = () => useContext(Context);

export function useUnsaved(isDirty: (() => boolean) | undefined): void {
  const dialog = useFormDialog();
  const asked = useRef(isDirty);
  useEffect(() => {
    asked.current = isDirty;
  });
  useEffect(() => dialog?.watch(() => asked.current?.() ?? false), [dialog]);
}

interface Props {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  help: HelpTopic;
  size?: number | string;
  children: ReactNode;
}

/** A dialog with a form, which asks before unsaved input is discarded. */
export function FormDialog({ opened, onClose, title, help, size = 560, children }: Props) {
  const forms = useRef(new Set<() => boolean>());
  const [isAsking, setAsking] = useState(false);
  const onCloseNow = useRef(onClose);
  useEffect(() => {
    onCloseNow.current = onClose;
  });
  const frame = useMemo<FormFrame>(
    () => ({
      close: () => {
        if ([...forms.current].some((isDirty) => isDirty())) setAsking(true);
        else onCloseNow.current();
      },
      watch: (isDirty) => {
        forms.current.add(isDirty);
        return () => void forms.current.delete(isDirty);
      },
    }),
    [],
  );
  const discard = () => {
    setAsking(false);
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={frame.close}
      title={title}
      size={size}
      help={help}
      keepOnClickOutside
    >
      <Context value={frame}>{children}</Context>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('form.discard_title')}
        text={t('form.discard_text')}
        cancel={t('form.go_on')}
        action={t('form.discard')}
        onConfirm={discard}
      />
    </Dialog>
  );
}
