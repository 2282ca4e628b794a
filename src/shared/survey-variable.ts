// The variables of a survey: what a template asks people at launch.

import { z } from 'zod';
import type { FieldCode } from './errors.ts';
import { initially, line, multiline, nullable, optionalLine } from './fields.ts';

export const surveyTypes = ['', 'int', 'enum', 'secret', 'text', 'boolean'] as const;

/** The form of an answer of the type `int`: digits, of a number that JSON represents exactly. */
export const surveyInteger = /^\d{1,15}$/;

export const surveyVariable = z
  .object({
    name: line(255, 'name.required'),
    title: line(255, 'survey.title_required'),
    description: initially(optionalLine(1024), ''),
    type: initially(z.enum(surveyTypes), ''),
    required: initially(z.boolean(), false),
    values: nullable(z.array(z.object({ name: line(255), value: multiline(4096) })).max(500)),
    /** The default answer, which the form shows first; empty for none. */
    default_value: initially(multiline(4096), ''),
  })
  .superRefine((variable, context) => {
    if (variable.type === 'enum' && !variable.values?.length) {
      context.addIssue({ code: 'custom', path: ['values'], message: 'survey.values_required' });
    }
    const wrong = wrongDefault(variable);
    if (wrong) context.addIssue({ code: 'custom', path: ['default_value'], message: wrong });
  });

interface WithDefault {
  type: (typeof surveyTypes)[number];
  values: { value: string }[] | null;
  default_value: string;
}

// The template would show a default of a secret variable.
function wrongDefault({ type, values, default_value: text }: WithDefault): FieldCode | null {
  if (text === '') return null;
  if (type === 'secret') return 'survey.default_secret';
  if (type === 'int') return surveyInteger.test(text) ? null : 'field.integer';
  if (type === 'boolean') return ['true', 'false'].includes(text) ? null : 'field.invalid';
  if (type === 'enum') return values?.some(({ value }) => value === text) ? null : 'field.invalid';
  return null;
}

export type SurveyVariable = z.output<typeof surveyVariable>;
