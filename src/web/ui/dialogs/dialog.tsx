import { Modal, type ModalProps } from '@mantine/core';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { type FocusEvent, type ReactNode, Suspense } from 'react';
import { lazyExport } from '../lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import type { HelpTopic } from './help-topics.ts';
import { focusFirst } from './focus-first.ts';
import { useEscape } from './use-escape.ts';
import { useFocusBack } from './use-focus-back.ts';
import classes from './dialog.module.css';

const HelpLink = lazyExport(() => import('./help-link.tsx'), 'HelpLink');

interface Props {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  size?: ModalProps['size'];
  /** Whether the dialog fills the page except for a margin. */
  wholePage?: boolean;
  /** Whether a click beside the dialog leaves it open, so that input is not lost. */
  keepOnClickOutside?: boolean;
  /** The topic of the guide. */
  help?: HelpTopic | undefined;
  mustAnswer?: boolean;
  children: ReactNode;
}

/**
 * Has the focus when the dialog opens, until the part with `focusedFirst` is mounted and gets it.
 */
const contentFirst = {
  'data-autofocus': true,
  tabIndex: -1,
  onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (target === currentTarget) focusFirst(currentTarget);
  },
};

const stay = (): void => undefined;

export function Dialog({
  opened,
  onClose,
  title,
  size = 520,
  wholePage = false,
  keepOnClickOutside = false,
  help,
  mustAnswer = false,
  children,
}: Props) {
  useEscape(opened, mustAnswer ? stay : onClose);
  const id = useFocusBack(opened);
  return (
    <Modal.Root
      id={id}
      opened={opened}
      onClose={onClose}
      size={wholePage ? '100%' : size}
      closeOnClickOutside={!keepOnClickOutside && !mustAnswer}
      // Mantine would close all open dialogs at once.
      closeOnEscape={false}
      transitionProps={{ duration: 120 }}
      classNames={
        wholePage
          ? {
              inner: classes.pageInner,
              content: `column overflow-hidden ${classes.pageContent}`,
              header: `flex-none border-bottom ${classes.pageHeader}`,
              title: `min-w-0 weight-600 ${classes.pageTitle}`,
              body: `column flex-1 min-h-0 ${classes.pageBody}`,
            }
          : { content: classes.content, title: `weight-600 ${classes.title}`, inner: classes.inner }
      }
    >
      <Modal.Overlay color="var(--overlay)" backgroundOpacity={1} />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>{title}</Modal.Title>
          <span className="row gap-4 flex-none ml-auto" style={{ paddingLeft: 8 }}>
            <Suspense>{help && <HelpLink topic={help} />}</Suspense>
            {!mustAnswer && <Modal.CloseButton aria-label={t('common.close')} />}
          </span>
        </Modal.Header>
        {/* Without inputs, the content has the focus, not the first button above it. */}
        <Modal.Body {...(wholePage && contentFirst)}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
