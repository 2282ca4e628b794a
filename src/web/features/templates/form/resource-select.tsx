import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { WithNew } from './new-resource.tsx';
import type { NewResource, OnNew } from './template-fields-props.ts';

interface Props extends ComponentProps<typeof IdSelect> {
  /** What is made with the button beside the select, which is then chosen. */
  newResource?: NewChoice;
}

interface NewChoice {
  kind: NewResource;
  onNew: OnNew;
}

/** Chooses a resource of the project, or makes one without leaving the form. */
export function ResourceSelect({ newResource, ...props }: Props) {
  return (
    <IdSelect
      placeholder={props.required ? t('template.form.choose') : t('template.form.none')}
      {...(newResource && besideNew(newResource, (id) => props.onChange?.(id)))}
      {...props}
    />
  );
}

/** Puts the button that makes another thing beside the select. */
const besideNew = ({ kind, onNew }: NewChoice, choose: (id: number) => void) => ({
  inputContainer: (input: ReactNode) => (
    <WithNew kind={kind} onNew={() => onNew(kind, choose)}>
      {input}
    </WithNew>
  ),
});
