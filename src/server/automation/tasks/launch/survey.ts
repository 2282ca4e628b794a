// Validates the answers to a survey and converts them to their types.

import type { Template } from '#shared/api/templates.ts';
import { canonicalSurveyType } from '#shared/survey/survey-types.ts';
import { surveyInteger, type SurveyVariable } from '#shared/survey/survey-variable.ts';
import type { Answer, Answers } from '#shared/api/task-snapshot.ts';
import type { FieldCode } from '#shared/catalogue/field-errors.ts';
import type { FieldError } from '#shared/errors.ts';
import { fail, failFields, fieldError } from '../../../lib/errors.ts';

type SurveyTemplate = Pick<Template, 'survey_vars' | 'allow_any_variable_in_task'>;

type Parsed = { value: Answer } | { wrong: FieldCode };

/** Values that an integration extracted from a request, or a workflow from a task, by variable. */
export type Extracted = Record<string, Answer>;

interface AnswerOptions {
  extracted?: Extracted | undefined;
  /** Extracted values that are secret. */
  secrets?: Extracted | undefined;
}

/**
 * Separates secret answers, which are sealed and never stored in the history. Extracted values answer the
 * survey too. Values that it does not ask for are accepted as well: their names were chosen by those who
 * configured the integration, not by the sender.
 */
export function readAnswers(
  { survey_vars: variables, allow_any_variable_in_task: allowsAny }: SurveyTemplate,
  plainText: string,
  secretText: string,
  { extracted = {}, secrets = {} }: AnswerOptions = {},
): { plain: Answers; secret: Answers } {
  const sources = { environment: readObject(plainText), secret: readObject(secretText) };
  const others = takeOthers(variables, sources, allowsAny);
  const errors: FieldError[] = [];
  const answers = { environment: others.environment, secret: others.secret };
  for (const [name, value] of Object.entries(extracted)) {
    const known = variables.find((variable) => variable.name === name);
    if (known) sources[sourceOf(known)].set(name, toText(value));
    else answers.environment.set(name, value);
  }
  for (const [name, value] of Object.entries(secrets)) {
    const isAsked = asksSecret(variables, name);
    (isAsked ? sources : answers).secret.set(name, isAsked ? toText(value) : value);
  }
  for (const variable of variables) {
    const source = sourceOf(variable);
    const parsed = parse(variable, sources[source].get(variable.name));
    if (parsed && 'wrong' in parsed) {
      const path = `${source}.${variable.name}`;
      errors.push(fieldError(path, parsed.wrong, { title: variable.title }));
    } else if (parsed) {
      answers[source].set(variable.name, parsed.value);
    }
  }
  if (errors.length > 0) throw failFields(...errors);
  // Not by assignment: a variable may be named like a property of Object.prototype.
  return {
    plain: Object.fromEntries(answers.environment),
    secret: Object.fromEntries(answers.secret),
  };
}

/** Surveys have no lists and objects: these become JSON texts. */
const toText = (value: Answer): Answer =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

const sourceOf = ({ type }: SurveyVariable): 'secret' | 'environment' =>
  type === 'secret' ? 'secret' : 'environment';

/** Whether a survey asks for this secret; refuses a secret for a variable that is not secret. */
function asksSecret(variables: SurveyVariable[], name: string): boolean {
  const known = variables.find((variable) => variable.name === name);
  if (known && known.type !== 'secret') {
    throw fail('task.field_not_allowed', { field: `secret.${name}` });
  }
  return known !== undefined;
}

function readObject(text: string): Map<string, unknown> {
  return new Map(Object.entries(JSON.parse(text) as Record<string, unknown>));
}

type BySource<T> = Record<'environment' | 'secret', Map<string, T>>;

/**
 * Returns the variables that the survey does not ask for, and refuses them unless the template allows
 * any: such a variable could change anything that the playbook does.
 */
function takeOthers(
  variables: SurveyVariable[],
  sources: BySource<unknown>,
  allowsAny: boolean,
): BySource<Answer> {
  const others: BySource<Answer> = { environment: new Map(), secret: new Map() };
  for (const source of ['environment', 'secret'] as const) {
    for (const [name, value] of sources[source]) {
      const asked = variables.find((one) => one.name === name);
      if (asked && (asked.type === 'secret') === (source === 'secret')) continue;
      // A secret variable of the survey must not come among the plain answers.
      if (asked || !allowsAny) throw fail('task.field_not_allowed', { field: `${source}.${name}` });
      others[source].set(name, value as Answer);
    }
  }
  return others;
}

/** Null: an optional variable without an answer. Only an absent answer has the default. */
function parse(variable: SurveyVariable, answer: unknown): Parsed | null {
  const given = answer === undefined ? variable.default_value : answer;
  if (given === null || given === '') {
    return variable.required ? { wrong: 'survey.answer_required' } : null;
  }
  if (typeof given === 'object') return { wrong: 'field.invalid' };
  return typed(variable, String(given as string | number | boolean));
}

function typed({ type, values }: SurveyVariable, text: string): Parsed {
  switch (canonicalSurveyType(type)) {
    case 'int':
      return surveyInteger.test(text)
        ? { value: Number(text) }
        : { wrong: 'survey.answer_integer' };
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { wrong: 'survey.answer_boolean' };
    case 'enum':
      return values?.some(({ value }) => value === text)
        ? { value: text }
        : { wrong: 'survey.answer_option' };
    case '':
    case 'text':
    case 'secret':
      return { value: text };
  }
}
