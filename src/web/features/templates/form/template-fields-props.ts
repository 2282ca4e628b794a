// The props of the parts of the template form.

import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { May } from '../../../lib/roles/may.ts';
import type { TemplateValues } from './template-values.ts';

/** The props of an input of the form. */
interface Input {
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

/** The resources that can be made from within the form. */
export type NewResource =
  | 'key'
  | 'repository'
  | 'inventory'
  | 'environment'
  | 'execution_environment';

/** Opens the form of a new resource; `onMade` receives its id. */
export type OnNew = (kind: NewResource, onMade: (id: number) => void) => void;

/** The parts of the form that other features own. */
export interface TemplateParts {
  may: May;
  renderCron: (field: {
    label: string;
    description: string;
    cron: Input;
    zone: Input;
  }) => ReactNode;
  /** The preview of the launch dialog. */
  renderPreview: (values: TemplateValues) => ReactNode;
  renderNew: (
    kind: NewResource,
    place: { isOpened: boolean; onClose: () => void; onMade: (id: number) => void },
  ) => ReactNode;
}

export interface FieldsProps extends TemplateParts {
  projectId: number;
  /** Null for a new template. */
  templateId: number | null;
  form: UseFormReturnType<TemplateValues>;
  /** Whether the template is new and no copy, so that nothing has been chosen yet. */
  isNew: boolean;
  onNew: OnNew;
}
