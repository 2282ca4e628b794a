import { Modal, type ModalProps } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useEscape } from './use-escape.ts';
import { useFocusBack } from './use-focus-back.ts';
import classes from './dialog.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  size?: ModalProps['size'];
  /** Whether the dialog fills the page except for a margin. */
  wholePage?: boolean;
  /** Whether a click beside the dialog leaves it open, so that input is not lost. */
  keepOnClickOutside?: boolean;
  /** Whether only the dialog's own buttons close it. */
  mustAnswer?: boolean;
  children: ReactNode;
}

const stay = (): void => undefined;

export function Dialog({
  opened,
  onClose,
  title,
  size = 520,
  wholePage = false,
  keepOnClickOutside = false,
  mustAnswer = false,
  children,
}: Props) {
  const { t } = useTranslation();
  useEscape(opened, mustAnswer ? stay : onClose);
  const id = useFocusBack(opened);
  return (
    <Modal
      id={id}
      opened={opened}
      onClose={onClose}
      title={title}
      size={wholePage ? '100%' : size}
      closeOnClickOutside={!keepOnClickOutside && !mustAnswer}
      // Mantine would close all open dialogs at once.
      closeOnEscape={false}
      withCloseButton={!mustAnswer}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      transitionProps={{ duration: 120 }}
      overlayProps={{ color: 'var(--overlay)', backgroundOpacity: 1 }}
      classNames={
        wholePage
          ? {
              inner: classes.pageInner,
              content: classes.pageContent,
              header: classes.pageHeader,
              title: classes.pageTitle,
              body: classes.pageBody,
            }
          : { content: classes.content, title: classes.title, inner: classes.inner }
      }
    >
      {children}
    </Modal>
  );
}
