// The launch options of a node, as the inputs of `LaunchFields` need them.

import type { ChangeEvent } from 'react';
import { hasField } from '#shared/apps.ts';
import type { Template } from '#shared/api/templates.ts';
import type { TemplateNode } from '#shared/workflows/graph.ts';
import { launchBody, type LaunchValues, launchValues } from '../../../ui/forms/launch-values.ts';

type InputValue = ChangeEvent<HTMLInputElement> | string | number | null;

/** A form object whose values are those of the node, and whose inputs change the node. */
export function launchForm(
  node: TemplateNode,
  onNode: (node: TemplateNode, about?: string) => void,
  isWrong: (field: string) => boolean,
) {
  const values = launchValues(node.params);
  const set = (name: keyof LaunchValues, value: unknown) =>
    onNode({ ...node, params: paramsOf({ ...values, [name]: value } as LaunchValues) }, name);
  return {
    errors: {},
    getValues: () => ({ task_params: values }),
    getInputProps: (path: string, options?: { type: 'checkbox' }) => {
      const name = path.replace('task_params.', '') as keyof LaunchValues;
      const onChange = (given: InputValue) => set(name, valueOf(given));
      const shared = { onChange, error: isWrong(`params.${name}`) };
      return options ? { ...shared, checked: values[name] } : { ...shared, value: values[name] };
    },
  };
}

function paramsOf(values: LaunchValues): TemplateNode['params'] {
  const body = launchBody(values);
  return body && { ...body, environment: body.environment };
}

function valueOf(given: InputValue): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { type, checked, value } = given.currentTarget;
  return type === 'checkbox' ? checked : value;
}

type Offers = (name: keyof LaunchValues) => boolean;

/** The options that the template allows to set; an option with a value is always shown. */
export function offersOf(template: Template, node: TemplateNode): Offers {
  const values = launchValues(node.params);
  return (name) => Boolean(values[name]) || opens[name](template);
}

const always = () => true;

const opens: Record<keyof LaunchValues, (template: Template) => boolean> = {
  message: always,
  environment: (one) => one.survey_vars.length > 0 || one.allow_any_variable_in_task,
  inventory_id: (one) => one.allow_override_inventory_in_task,
  git_branch: (one) => one.allow_override_branch_in_task,
  limit: (one) => one.allow_override_limit_in_task && hasField(one.app, 'limit'),
  tags: (one) => one.allow_override_tags_in_task && hasField(one.app, 'tags'),
  skip_tags: (one) => one.allow_override_skip_tags_in_task && hasField(one.app, 'skip_tags'),
  arguments: (one) => one.allow_override_args_in_task,
  debug: (one) => one.allow_debug_in_task,
  debug_level: (one) => one.allow_debug_in_task,
  dry_run: (one) => hasField(one.app, 'dry_run'),
  diff: (one) => hasField(one.app, 'diff'),
  auto_approve: (one) => one.allow_auto_approve_in_task && hasField(one.app, 'auto_approve'),
};
