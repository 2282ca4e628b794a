// Checks the answers to a survey and gives them their types.

import { surveyInteger, type SurveyVariable } from '#shared/api/templates.ts';
import type { Answer, Answers } from '#shared/api/task-snapshot.ts';
import type { FieldCode, FieldError } from '#shared/errors.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';

type Parsed = { value: Answer } | { wrong: FieldCode };

/** What an integration has taken out of a request, by variable. */
export type Extracted = Record<string, string>;

/**
 * Secret answers are kept apart: they are sealed and never stored in the history. Extracted values
 * answer the survey too. Those that it does not ask for go to the run as well: their names were
 * chosen by whoever set up the integration, not by the sender.
 */
export function readAnswers(
  variables: SurveyVariable[],
  plainText: string,
  secretText: string,
  extracted: Extracted = {},
): { plain: Answers; secret: Answers } {
  const sources = { environment: readObject(plainText), secret: readObject(secretText) };
  refuseUnknown(variables, sources);
  const errors: FieldError[] = [];
  const answers = { environment: new Map<string, Answer>(), secret: new Map<string, Answer>() };
  for (const [name, value] of Object.entries(extracted)) {
    const known = variables.find((variable) => variable.name === name);
    if (known) sources[known.type === 'secret' ? 'secret' : 'environment'].set(name, value);
    else answers.environment.set(name, value);
  }
  for (const variable of variables) {
    const source = variable.type === 'secret' ? 'secret' : 'environment';
    const parsed = parse(variable, sources[source].get(variable.name));
    if (parsed && 'wrong' in parsed) {
      const path = `${source}.${variable.name}`;
      errors.push(fieldError(path, parsed.wrong, { title: variable.title }));
    } else if (parsed) {
      answers[source].set(variable.name, parsed.value);
    }
  }
  if (errors.length > 0) throw failFields(...errors);
  // Not by assignment: a variable may be named as something that every object has.
  return {
    plain: Object.fromEntries(answers.environment),
    secret: Object.fromEntries(answers.secret),
  };
}

function readObject(text: string): Map<string, unknown> {
  return new Map(Object.entries(JSON.parse(text) as Record<string, unknown>));
}

// A variable outside the survey could change anything that the playbook does.
function refuseUnknown(
  variables: SurveyVariable[],
  sources: Record<string, Map<string, unknown>>,
): void {
  for (const [source, answers] of Object.entries(sources)) {
    const isSecret = source === 'secret';
    const known = variables.filter(({ type }) => (type === 'secret') === isSecret);
    const names = [...answers.keys()];
    const unknown = names.find((name) => !known.some((one) => one.name === name));
    if (unknown) throw fail('task.field_not_allowed', { field: `${source}.${unknown}` });
  }
}

/** Null: not answered, and no answer is needed. Only one that is absent has the default. */
function parse(variable: SurveyVariable, answer: unknown): Parsed | null {
  const given = answer === undefined ? variable.default_value : answer;
  if (given === null || given === '') {
    return variable.required ? { wrong: 'survey.answer_required' } : null;
  }
  if (typeof given === 'object') return { wrong: 'field.invalid' };
  return typed(variable, String(given as Answer));
}

function typed({ type, values }: SurveyVariable, text: string): Parsed {
  switch (type) {
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
