import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import {
  type EdgeCondition,
  edgeConditions,
  joins,
  type WorkflowNode,
} from '#shared/workflows/graph.ts';
import { Select } from '../../../ui/forms/select.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { withChanged, withEdge, withEdgeFrom, withoutEdge } from './edits.ts';
import classes from './editor.module.css';
import type { NodeFieldsContext } from './fields-props.ts';

type Props = Pick<NodeFieldsContext, 'graph' | 'onGraph'> & { node: WorkflowNode };

/** The predecessors of a node, each with the condition of its edge. */
export function BeginFields({ graph, onGraph, node }: Props) {
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
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => onGraph(withEdge(graph, first.key, node.key, 'success'))}
        >
          {t('workflow.editor.edge.add')}
        </Button>
      )}
    </fieldset>
  );
}

interface EdgeProps extends Props {
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
