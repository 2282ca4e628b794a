// The types of survey variables. Separate from the schemas, which the console loads with its forms only.

/** Includes two names of clients of other versions. */
export const surveyTypes = [
  '',
  'string',
  'int',
  'integer',
  'enum',
  'secret',
  'text',
  'boolean',
] as const;
export type SurveyType = (typeof surveyTypes)[number];

/** The types in the form. */
export const canonicalSurveyTypes = ['', 'int', 'enum', 'secret', 'text', 'boolean'] as const;
export type CanonicalSurveyType = (typeof canonicalSurveyTypes)[number];

/** Templates keep the name that was sent, because clients compare it. */
export function canonicalSurveyType(type: SurveyType): CanonicalSurveyType {
  if (type === 'string') return '';
  return type === 'integer' ? 'int' : type;
}

export const surveyTargets = ['', 'env'] as const;
