import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { WithNew } from './new-thing.tsx';
import type { NewThing, OnNew } from './template-fields-props.ts';

interface Props extends ComponentProps<typeof IdSelect> {
  /** What is made with the button beside the select, which is then chosen. */
  newThing?: NewChoice;
}

interface NewChoice {
  kind: NewThing;
  onNew: OnNew;
}

/** Chooses a resource of the project, or makes one without leaving the form. */
export function ResourceSelect({ newThing, ...props }: Props) {
  const { t } = useTranslation();
  return (
    <IdSelect
      placeholder={props.required ? t('template.form.choose') : t('template.form.none')}
      {...(newThing && besideNew(newThing, (id) => props.onChange?.(id)))}
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
