// The variables of a survey, whose values a template prompts for at launch.

import { z } from 'zod';
import { type AddCheck, crossCheck } from '../cross-check.ts';
import type { FieldCode } from '../catalogue/field-errors.ts';
import { canonicalSurveyType, surveyTargets, surveyTypes } from './survey-types.ts';
import { canBeSetByAnswer } from '../environment-names.ts';
import { storedFields } from '../stored-fields.ts';
import { initially, line, multiline, nullable, optional, optionalLine } from '../fields.ts';

/** An answer of the type `int`: digits of an exact number. */
export const surveyInteger = /^\d{1,15}$/;

const fields = z.object({
  name: line(255, 'name.required'),
  title: line(255, 'survey.title_required'),
  description: initially(optionalLine(1024), ''),
  type: initially(z.enum(surveyTypes), ''),
  required: initially(z.boolean(), false),
  values: nullable(z.array(z.object({ name: line(255), value: multiline(4096) })).max(500)),
  /** The initial answer in the form; empty: none. */
  default_value: initially(multiline(4096), ''),
});
type Fields = z.output<typeof fields>;

function checkFields(check: AddCheck<Fields>): void {
  check(['type', 'values'], ({ type, values }, refuse) => {
    if (type === 'enum' && !values?.length) refuse('values', 'survey.values_required');
  });
  check(['type', 'values', 'default_value'], (variable, refuse) => {
    const wrong = wrongDefault(variable);
    if (wrong) refuse('default_value', wrong);
  });
}

/** A field of an approval. */
export const approvalField = crossCheck(fields, checkFields);

const variableFields = fields.extend({
  /** `env`: the answer is an environment variable of the programs; otherwise an extra variable. */
  target: optional(z.enum(surveyTargets)),
});

export const surveyVariable = crossCheck(variableFields, (check) => {
  checkFields(check);
  check(['target', 'name'], ({ target, name }, refuse) => {
    if (target === 'env' && !canBeSetByAnswer(name)) refuse('name', 'survey.environment_name');
  });
});

/** A variable in replies; in templates of earlier versions the default is empty. */
export const shownSurveyField = z.object(storedFields(fields.shape));
export const shownSurveyVariable = shownSurveyField.extend({
  target: z.enum(surveyTargets).optional(),
});

// A default of a secret variable would be visible in the template.
function wrongDefault({
  type: given,
  values,
  default_value: text,
}: Pick<Fields, 'type' | 'values' | 'default_value'>): FieldCode | null {
  const type = canonicalSurveyType(given);
  if (text === '') return null;
  if (type === 'secret') return 'survey.default_secret';
  if (type === 'int') return surveyInteger.test(text) ? null : 'field.integer';
  if (type === 'boolean') return ['true', 'false'].includes(text) ? null : 'field.invalid';
  if (type === 'enum') return values?.some(({ value }) => value === text) ? null : 'field.invalid';
  return null;
}

export type SurveyVariable = z.output<typeof surveyVariable>;
