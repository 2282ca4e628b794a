import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { WithNew } from './new-resource.tsx';
import type { NewResource, OnNew } from './template-fields-props.ts';

interface Props extends ComponentProps<typeof IdSelect> {
  /** What the button beside the select makes; the new resource is then chosen. */
  newResource?: NewChoice | undefined;
}

interface NewChoice {
  kind: NewResource;
  onNew: OnNew;
}

export function ResourceSelect({ newResource, ...props }: Props) {
  return (
    <IdSelect
      placeholder={props.required ? t('template.form.choose') : t('template.form.none')}
      {...(newResource && besideNew(newResource, (id) => props.onChange?.(id)))}
      {...props}
    />
  );
}

const besideNew = ({ kind, onNew }: NewChoice, choose: (id: number) => void) => ({
  inputContainer: (input: ReactNode) => (
    <WithNew kind={kind} onNew={() => onNew(kind, choose)}>
      {input}
    </WithNew>
  ),
});
