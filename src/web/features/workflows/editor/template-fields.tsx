import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ChangeEvent } from 'react';
import { nodesBefore } from '#shared/workflows/check-graph.ts';
import type { NodeInput, TemplateNode, WorkflowNode } from '#shared/workflows/graph.ts';
import { hasField } from '#shared/apps.ts';
import type { Template } from '#shared/api/templates.ts';
import { Select } from '../../../ui/forms/select.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { LaunchFields } from '../../../ui/forms/launch-fields.tsx';
import { launchBody, type LaunchValues, launchValues } from '../../../ui/forms/launch-values.ts';
import { useExecutionChoices } from '../../execution-environments/execution-environments.queries.ts';
import { inventoryQueries } from '../../inventories/inventories.queries.ts';
import { templateQueries } from '../../templates/templates.queries.ts';
import { freeName } from './edits.ts';
import type { FieldsProps } from './fields-props.ts';
import classes from './editor.module.css';

type Props = FieldsProps<TemplateNode>;

export function TemplateFields(props: Props) {
  const { projectId, graph, node, onNode, isWrong } = props;
  const templates = useQuery(templateQueries.list(projectId));
  const inventories = useQuery(inventoryQueries.list(projectId));
  const executionEnvironments = useExecutionChoices(projectId);
  const template = templates.data?.find(({ id }) => id === node.template_id);
  const choose = (id: number | null) => {
    const chosen = templates.data?.find((one) => one.id === id);
    const others = graph.nodes.filter(({ key }) => key !== node.key);
    // A default name follows the template.
    const isOwn = node.name !== (template?.name ?? '') && !isPlain(node.name);
    const name = isOwn || !chosen ? node.name : freeName(others, chosen.name);
    onNode({ ...node, template_id: id ?? 0, name });
  };
  const before = nodesBefore(graph.edges, node.key);
  const earlier = graph.nodes.filter(({ key }) => before.has(key));
  return (
    <>
      <IdSelect
        label={t('workflow.type.template')}
        required
        items={templates.data}
        value={node.template_id || null}
        onChange={choose}
        error={isWrong('template_id')}
      />
      {template?.type === 'deploy' && (
        <Select
          label={t('workflow.editor.build_node')}
          required
          data={choices(earlier.filter(({ type }) => type === 'template'))}
          value={node.build_node}
          onChange={(key) => onNode({ ...node, build_node: key })}
          error={isWrong('build_node')}
        />
      )}
      {template && (
        <LaunchFields
          form={launchForm(node, onNode, isWrong)}
          inventories={inventories.data}
          executionEnvironments={executionEnvironments}
          offers={offersOf(template, node)}
        />
      )}
      <Inputs {...props} earlier={earlier} />
    </>
  );
}

/** Whether a name is the default of a new node. */
const isPlain = (name: string): boolean =>
  name.replace(/ \d+$/, '') === t('workflow.type.template');

const choices = (nodes: WorkflowNode[]) =>
  nodes.map(({ key, name }) => ({ value: key, label: name }));

/** The variables that receive outputs of earlier nodes. */
function Inputs({ node, onNode, earlier, isWrong }: Props & { earlier: WorkflowNode[] }) {
  const [first] = earlier;
  const change = (index: number, input: NodeInput, about: string) =>
    onNode({ ...node, inputs: node.inputs.with(index, input) }, `${about} ${index}`);
  if (!first && node.inputs.length === 0) return null;
  return (
    <fieldset className={`column gap-10 border-top ${classes.group}`}>
      <legend>{t('workflow.editor.inputs.title')}</legend>
      <p className="soft">{t('workflow.editor.inputs.hint')}</p>
      {node.inputs.map((input, index) => (
        <div key={index} className={`flex wrap items-end gap-8 ${classes.row}`}>
          <TextInput
            label={t('workflow.editor.inputs.name')}
            classNames={{ input: 'mono' }}
            value={input.name}
            error={isWrong(`inputs.${index}.name`)}
            onChange={(event) =>
              change(index, { ...input, name: event.currentTarget.value }, 'variable')
            }
          />
          <Select
            label={t('workflow.editor.inputs.node')}
            allowDeselect={false}
            data={choices(earlier)}
            value={input.node}
            error={isWrong(`inputs.${index}.node`)}
            onChange={(key) => key !== null && change(index, { ...input, node: key }, 'node')}
          />
          <TextInput
            label={t('workflow.editor.inputs.output')}
            classNames={{ input: 'mono' }}
            value={input.output}
            error={isWrong(`inputs.${index}.output`)}
            onChange={(event) =>
              change(index, { ...input, output: event.currentTarget.value }, 'output')
            }
          />
          <IconButton
            label={t('workflow.editor.inputs.remove', { name: input.name })}
            icon={<IconTrash size={16} />}
            onClick={() => onNode({ ...node, inputs: node.inputs.toSpliced(index, 1) })}
          />
        </div>
      ))}
      {first && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            onNode({
              ...node,
              inputs: [...node.inputs, { name: '', node: first.key, output: '' }],
            })
          }
        >
          {t('workflow.editor.inputs.add')}
        </Button>
      )}
    </fieldset>
  );
}

type InputValue = ChangeEvent<HTMLInputElement> | string | number | null;

/** A form object whose values are those of the node, and whose inputs change the node. */
function launchForm(
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
function offersOf(template: Template, node: TemplateNode): Offers {
  const values = launchValues(node.params);
  return (name) => Boolean(values[name]) || opens[name](template);
}

const always = () => true;

const opens: Record<keyof LaunchValues, (template: Template) => boolean> = {
  message: always,
  environment: (one) => one.survey_vars.length > 0 || one.allow_any_variable_in_task,
  inventory_id: (one) => one.allow_override_inventory_in_task,
  execution_environment_id: (one) => one.allow_override_execution_environment_in_task,
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
