// The types of the variables of a survey, and what becomes of an answer. Without schemas, which the console
// loads with its forms only.

/** The types, and the names that clients of other versions have for two of them. */
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

/** The types that people choose from. */
export const canonicalSurveyTypes = ['', 'int', 'enum', 'secret', 'text', 'boolean'] as const;
export type CanonicalSurveyType = (typeof canonicalSurveyTypes)[number];

/** A type by our own name. Templates keep the name that was sent, which clients compare. */
export function canonicalSurveyType(type: SurveyType): CanonicalSurveyType {
  if (type === 'string') return '';
  return type === 'integer' ? 'int' : type;
}

export const surveyTargets = ['', 'env'] as const;
