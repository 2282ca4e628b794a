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
  /** What people will see who launch a task of it. */
  renderPreview: (values: TemplateValues) => ReactNode;
}

export interface FieldsProps extends TemplateParts {
  projectId: number;
  /** Null: it is new. */
  templateId: number | null;
  form: UseFormReturnType<TemplateValues>;
  /** Opens the editor of a survey variable; `null` makes one. */
  onVariable: (index: number | null) => void;
}
