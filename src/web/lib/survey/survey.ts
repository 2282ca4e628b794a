// Converts the answers to a survey: initial values, errors, and the JSON texts of a new task.

import type { FieldCode } from '#shared/catalogue/field-errors.ts';
import { canonicalSurveyType } from '#shared/survey/survey-types.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';

export type Answers = Record<string, string | boolean>;

/**
 * The answers of an earlier task, otherwise the defaults. The server never returns secret answers.
 */
export function firstAnswers(variables: SurveyVariable[], earlier = '{}'): Answers {
  const known = objectOf(earlier);
  return Object.fromEntries(
    variables.map(({ name, type, default_value }) => [
      name,
      firstAnswer(type, known[name] ?? default_value),
    ]),
  );
}

function firstAnswer(type: SurveyVariable['type'], value: unknown): string | boolean {
  if (type === 'boolean') return value === true || value === 'true';
  if (type === 'secret' || value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const integer = /^\d+$/;

export function answerProblem(
  variable: SurveyVariable,
  answer: string | boolean | undefined,
): FieldCode | null {
  if (variable.type === 'boolean') return null;
  const text = String(answer ?? '').trim();
  if (text === '') return variable.required ? 'survey.answer_required' : null;
  const isInteger = canonicalSurveyType(variable.type) === 'int';
  return isInteger && !integer.test(text) ? 'survey.answer_integer' : null;
}

/** The variables of an earlier task outside the survey, as JSON; empty for none. */
export function otherVariables(variables: SurveyVariable[], earlier = '{}'): string {
  const asked = new Set(variables.map(({ name }) => name));
  const others = Object.entries(JSON.parse(earlier) as object).filter(([name]) => !asked.has(name));
  return others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2);
}

/**
 * The two JSON texts of a new task; empty answers are omitted, unless the variable has a default.
 */
export function answerTexts(
  variables: SurveyVariable[],
  answers: Answers,
): { environment: string; secret: string } {
  const plain: Record<string, unknown> = {};
  const secret: Record<string, unknown> = {};
  for (const { name, type, default_value } of variables) {
    const answer = answers[name] ?? '';
    if (type === 'boolean') plain[name] = answer === true;
    else if (answer === '') {
      // For a missing name, the server would use the default.
      if (default_value !== '') plain[name] = '';
    } else if (type === 'secret') secret[name] = answer;
    else if (canonicalSurveyType(type) === 'int') plain[name] = integerOf(String(answer).trim());
    else plain[name] = answer;
  }
  return { environment: JSON.stringify(plain), secret: JSON.stringify(secret) };
}

// A number that JSON cannot represent exactly stays a string; the server converts it.
function integerOf(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}
