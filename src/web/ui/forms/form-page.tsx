import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { HelpLink } from '../dialogs/help-link.tsx';
import type { HelpTopic } from '../dialogs/help-topics.ts';
import { LeaveQuestion } from '../dialogs/leave-question.tsx';
import { Page } from '../page/page.tsx';
import { focusFirst } from './edit-dialog.tsx';
import { FormFrameContext, useWatchedForms } from './form-frame.ts';

interface Props {
  title: string;
  /** Links to the pages above. */
  above: ReactNode;
  help: HelpTopic;
  onCancel: () => void;
  children: ReactNode;
}

/** A page with a form, which asks before a navigation discards unsaved input. */
export function FormPage({ title, above, help, onCancel, children }: Props) {
  const { isDirty, watch } = useWatchedForms();
  return (
    <Page
      title={title}
      above={<nav aria-label={t('common.breadcrumb')}>{above}</nav>}
      actions={<HelpLink topic={help} />}
    >
      <FormFrameContext value={{ kind: 'page', close: onCancel, watch }}>
        <div ref={focusFirst}>{children}</div>
      </FormFrameContext>
      <LeaveQuestion isDirty={isDirty} />
    </Page>
  );
}
