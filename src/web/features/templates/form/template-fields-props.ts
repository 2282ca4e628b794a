// What the parts of the template form are given.

import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { TemplateValues } from './template-values.ts';

/** What an input of the form is given. */
interface Input {
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

/** The parts of the form that other nouns own. */
export interface TemplateParts {
  renderCron: (field: {
    label: string;
    description: string;
    cron: Input;
    zone: Input;
  }) => ReactNode;
  /** The preview of the form in which people launch a task of the template. */
  renderPreview: (values: TemplateValues) => ReactNode;
}

export interface FieldsProps extends TemplateParts {
  projectId: number;
  /** Null: the template is new. */
  templateId: number | null;
  form: UseFormReturnType<TemplateValues>;
  /** Opens the editor of a survey variable; `null` makes one. */
  onVariable: (index: number | null) => void;
}
