import type { ReactNode } from 'react';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';

export interface VariableProps {
  variable: SurveyVariable;
  /** The path of the variable in its form. */
  path: string;
  /** The errors by the path of their input. */
  errors: Record<string, ReactNode>;
  /** `field`: the path of the input that has changed. */
  onChange: (part: Partial<SurveyVariable>, field: string) => void;
}

/** The path by which the form finds an input, and its error. */
export const inputOf = (
  { path, errors }: Pick<VariableProps, 'path' | 'errors'>,
  name: string,
) => ({
  'data-path': `${path}.${name}`,
  error: errors[`${path}.${name}`],
});
