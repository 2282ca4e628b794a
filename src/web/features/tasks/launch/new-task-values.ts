// The values of the dialog that launches a task, and the body that it sends.

import type { FormErrors } from '@mantine/form';
import { hasField } from '#shared/apps.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { jsonObjectText } from '#shared/fields.ts';
import { fieldWords } from '../../../lib/error-words.ts';
import {
  answerProblem,
  type Answers,
  answerTexts,
  firstAnswers,
  otherVariables,
} from '../../../lib/survey/survey.ts';

/**
 * The fields of a template that a launch needs; the template form previews a launch before it saves
 * the template.
 */
export type LaunchTemplate = Pick<
  Template,
  | 'project_id'
  | 'app'
  | 'type'
  | 'build_template_id'
  | 'survey_vars'
  | 'limit'
  | 'tags'
  | 'skip_tags'
  | 'git_branch'
  | 'arguments'
  | 'inventory_id'
  | 'execution_environment_id'
  | (typeof flags)[number]
>;

const flags = [
  'allow_override_args_in_task',
  'allow_override_inventory_in_task',
  'allow_override_execution_environment_in_task',
  'allow_override_branch_in_task',
  'allow_override_limit_in_task',
  'allow_override_tags_in_task',
  'allow_override_skip_tags_in_task',
  'allow_auto_approve_in_task',
  'allow_debug_in_task',
  'allow_any_variable_in_task',
] as const satisfies (keyof Template)[];

export type NewTaskValues = {
  message: string;
  answers: Answers;
  /** Variables outside the survey: the text of a JSON object, or empty. */
  variables: string;
  debug: boolean;
  dry_run: boolean;
  diff: boolean;
  auto_approve: boolean;
  limit: string;
  tags: string;
  skip_tags: string;
  git_branch: string;
  inventory_id: string;
  execution_environment_id: number | null;
  arguments: string;
  same_commit: boolean;
  /** For a deploy: the id of the task that it deploys. */
  build_task_id: string;
};

/** The values of the earlier task, otherwise those of the template; `limit` replaces their limit. */
export function firstValues(
  template: LaunchTemplate,
  earlier: Task | undefined,
  limit?: string,
): NewTaskValues {
  const source = earlier ?? { message: '', debug: false, dry_run: false, diff: false };
  const prompts = earlier ?? template;
  return {
    message: source.message,
    answers: firstAnswers(template.survey_vars, earlier?.environment),
    variables: otherVariables(template.survey_vars, earlier?.environment),
    debug: source.debug && template.allow_debug_in_task,
    dry_run: source.dry_run,
    diff: source.diff,
    // An approval is never copied from an earlier task.
    auto_approve: false,
    limit: limit ?? prompts.limit,
    tags: prompts.tags,
    skip_tags: prompts.skip_tags,
    git_branch: prompts.git_branch ?? '',
    inventory_id: String(prompts.inventory_id ?? template.inventory_id ?? ''),
    execution_environment_id: prompts.execution_environment_id ?? template.execution_environment_id,
    arguments: prompts.arguments ?? '',
    same_commit: false,
    build_task_id: earlier?.build_task_id ? String(earlier.build_task_id) : '',
  };
}

const texts = [
  ['limit', 'allow_override_limit_in_task'],
  ['tags', 'allow_override_tags_in_task'],
  ['skip_tags', 'allow_override_skip_tags_in_task'],
] as const;

type AskedTexts = Partial<Record<(typeof texts)[number][0], string>>;

/** The texts that the template allows to set and its app has. */
function askedTexts(template: Template, values: NewTaskValues): AskedTexts {
  const asked = texts.filter(([name, flag]) => template[flag] && hasField(template.app, name));
  return Object.fromEntries(asked.map(([name]) => [name, values[name]]));
}

/** The answers, merged over the variables outside the survey. */
function withOthers(template: Template, { answers, variables }: NewTaskValues) {
  const answered = answerTexts(template.survey_vars, answers);
  if (!template.allow_any_variable_in_task || variables.trim() === '') return answered;
  const others = JSON.parse(variables) as object;
  const all = { ...others, ...(JSON.parse(answered.environment) as object) };
  return { ...answered, environment: JSON.stringify(all) };
}

/** The body has only values that the template allows to set; the server refuses others. */
export function newTaskBody(template: Template, earlier: Task | undefined, values: NewTaskValues) {
  return {
    template_id: template.id,
    message: values.message,
    ...withOthers(template, values),
    debug: values.debug,
    dry_run: values.dry_run,
    diff: values.diff,
    auto_approve: values.auto_approve,
    ...askedTexts(template, values),
    ...(template.allow_override_args_in_task ? { arguments: values.arguments } : {}),
    ...(template.allow_override_branch_in_task && values.git_branch
      ? { git_branch: values.git_branch }
      : {}),
    ...(template.allow_override_inventory_in_task && values.inventory_id
      ? { inventory_id: Number(values.inventory_id) }
      : {}),
    ...(template.allow_override_execution_environment_in_task
      ? { execution_environment_id: values.execution_environment_id }
      : {}),
    ...(template.type === 'deploy' && values.build_task_id
      ? { build_task_id: Number(values.build_task_id) }
      : {}),
    ...(values.same_commit && earlier?.commit_hash ? { commit_hash: earlier.commit_hash } : {}),
  };
}

type AnswerValues = Pick<NewTaskValues, 'answers' | 'variables' | 'build_task_id'>;

export function answerErrors(
  template: Template,
  { answers, variables, build_task_id: build }: AnswerValues,
): FormErrors {
  const errors: FormErrors = {};
  if (template.type === 'deploy' && !build) {
    errors['build_task_id'] = fieldWords('task.build_required');
  }
  if (template.allow_any_variable_in_task && !jsonObjectText.safeParse(variables).success) {
    errors['variables'] = fieldWords('field.json_object');
  }
  for (const variable of template.survey_vars) {
    const problem = answerProblem(variable, answers[variable.name]);
    if (problem)
      errors[`answers.${variable.name}`] = fieldWords(problem, { title: variable.title });
  }
  return errors;
}

/** The server's error path names the text that contains the answer. */
export const inputPath = (path: string): string =>
  path.replace(/^(?:environment|secret)\.(?=.)/, 'answers.');
