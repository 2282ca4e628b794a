import { NumberInput, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import '@mantine/core/styles/NumberInput.layer.css';
import { useQuery } from '@tanstack/react-query';
import {
  type EdgeCondition,
  edgeConditions,
  joins,
  MAX_WAIT_S,
  type WaitNode,
  type WorkflowNode,
} from '#shared/workflows/graph.ts';
import { languageTag, t } from '../../../lib/i18n.ts';
import { Select } from '../../../ui/forms/select.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { span } from '../../../lib/time.ts';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { workflowQueries } from '../workflows.queries.ts';
import { ApprovalFields } from './approval-fields.tsx';
import type { NodeError } from './draft-errors.ts';
import { withChanged, withEdge, withEdgeFrom, withoutEdge } from './edits.ts';
import type { FieldsProps, NodeFieldsContext } from './fields-props.ts';
import { TemplateFields } from './template-fields.tsx';
import classes from './editor.module.css';
import { AddRowButton } from '../../../resources/add-row-button.tsx';

interface Props extends NodeFieldsContext {
  node: WorkflowNode;
  errors: NodeError[];
}

export function NodeForm({ node, errors, ...place }: Props) {
  const onNode = (next: WorkflowNode, about?: string) =>
    place.onGraph(withChanged(place.graph, next), about ? `${node.key} ${about}` : null);
  const isWrong = (field: string) => errors.some((error) => error.field === field);
  const errorsByField = Object.fromEntries(errors.map(({ field, words }) => [field, words]));
  const props = { ...place, onNode, isWrong, errors: errorsByField };
  return (
    <div className="column gap-14">
      <TextInput
        label={t('common.name')}
        required
        value={node.name}
        error={isWrong('name')}
        onChange={(event) => onNode({ ...node, name: event.currentTarget.value }, 'name')}
      />
      {node.type === 'template' && <TemplateFields {...props} node={node} />}
      {node.type === 'approval' && <ApprovalFields {...props} node={node} />}
      {node.type === 'wait' && <WaitFields {...props} node={node} />}
      {node.type === 'workflow' && <WorkflowFields {...props} node={node} />}
      <BeginFields {...place} node={node} />
    </div>
  );
}

type BeginFieldsProps = Pick<NodeFieldsContext, 'graph' | 'onGraph'> & { node: WorkflowNode };

/** The predecessors of a node, each with the condition of its edge. */
function BeginFields({ graph, onGraph, node }: BeginFieldsProps) {
  const before = graph.edges.filter(({ to }) => to === node.key);
  const free = graph.nodes.filter(
    ({ key }) => key !== node.key && !before.some(({ from }) => from === key),
  );
  const [first] = free;
  return (
    <fieldset className={`column gap-10 border-top ${classes.group}`}>
      <legend>{t('workflow.editor.begins')}</legend>
      {before.length === 0 && <p className="soft">{t('workflow.editor.at_start')}</p>}
      {before.map(({ from, when }) => (
        <EdgeFields
          key={from}
          graph={graph}
          onGraph={onGraph}
          node={node}
          from={from}
          when={when}
          free={free}
        />
      ))}
      {before.length > 1 && (
        <Select
          label={t('workflow.editor.join.label')}
          allowDeselect={false}
          data={joins.map((value) => ({ value, label: t(`workflow.editor.join.${value}`) }))}
          value={node.join}
          onChange={(join) =>
            onGraph(withChanged(graph, { ...node, join: join === 'any' ? 'any' : 'all' }))
          }
        />
      )}
      {first && (
        <AddRowButton onClick={() => onGraph(withEdge(graph, first.key, node.key, 'success'))}>
          {t('workflow.editor.edge.add')}
        </AddRowButton>
      )}
    </fieldset>
  );
}

interface EdgeProps extends BeginFieldsProps {
  from: string;
  when: EdgeCondition;
  free: WorkflowNode[];
}

function EdgeFields({ graph, onGraph, node, from, when, free }: EdgeProps) {
  const name = graph.nodes.find(({ key }) => key === from)?.name ?? from;
  const choices = [{ value: from, label: name }].concat(
    free.map((one) => ({ value: one.key, label: one.name })),
  );
  return (
    <div className={`flex wrap items-end gap-8 ${classes.row}`}>
      <Select
        label={t('workflow.editor.edge.node')}
        allowDeselect={false}
        searchable
        data={choices}
        value={from}
        onChange={(other) =>
          other !== null && onGraph(withEdgeFrom(graph, { from, to: node.key }, other))
        }
      />
      <Select
        label={t('workflow.editor.edge.when')}
        allowDeselect={false}
        data={edgeConditions.map((value) => ({ value, label: t(`workflow.editor.edge.${value}`) }))}
        value={when}
        onChange={(next) => next !== null && onGraph(withEdge(graph, from, node.key, next))}
      />
      <IconButton
        label={t('workflow.editor.edge.remove', { name })}
        icon={<IconTrash size={16} />}
        onClick={() => onGraph(withoutEdge(graph, from, node.key))}
      />
    </div>
  );
}

function WaitFields({ node, onNode, isWrong, renderZone }: FieldsProps<WaitNode>) {
  const { seconds, until, time_zone: zone } = node;
  const isUntil = until !== null;
  return (
    <>
      <Select
        label={t('workflow.editor.wait.label')}
        allowDeselect={false}
        data={[
          { value: 'seconds', label: t('workflow.editor.wait.seconds') },
          { value: 'until', label: t('workflow.editor.wait.until') },
        ]}
        value={isUntil ? 'until' : 'seconds'}
        onChange={(way) =>
          onNode(
            way === 'until'
              ? { ...node, seconds: null, until: '22:00' }
              : { ...node, seconds: 60, until: null, time_zone: '' },
          )
        }
      />
      {isUntil ? (
        <>
          <TextInput
            type="time"
            label={t('workflow.editor.wait.time')}
            required
            value={until}
            error={isWrong('until')}
            onChange={(event) => onNode({ ...node, until: event.currentTarget.value }, 'until')}
          />
          {renderZone({
            value: zone,
            onChange: (chosen) => onNode({ ...node, time_zone: chosen }),
          })}
        </>
      ) : (
        <NumberInput
          label={t('workflow.editor.wait.amount')}
          description={seconds === null ? null : span(seconds, languageTag)}
          required
          min={1}
          max={MAX_WAIT_S}
          allowDecimal={false}
          value={seconds ?? ''}
          error={isWrong('seconds')}
          onChange={(value) => onNode({ ...node, seconds: Number(value) || null }, 'seconds')}
        />
      )}
    </>
  );
}

type NestedNode = Extract<WorkflowNode, { type: 'workflow' }>;

function WorkflowFields(props: FieldsProps<NestedNode>) {
  const { projectId, workflowId, node, onNode, isWrong } = props;
  const { data } = useQuery(workflowQueries.list(projectId));
  return (
    <IdSelect
      label={t('workflow.type.workflow')}
      required
      items={data?.filter(({ id }) => id !== workflowId)}
      value={node.workflow_id || null}
      onChange={(id) => onNode({ ...node, workflow_id: id ?? 0 })}
      error={isWrong('workflow_id')}
    />
  );
}
