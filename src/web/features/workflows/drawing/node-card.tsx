import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import type { WorkflowNode } from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { Duration } from '../../../lib/time-text.tsx';
import { DryRunBadge } from '../../../ui/feedback/dry-run-badge.tsx';
import { NoHostsBadge } from '../../../ui/feedback/no-hosts-badge.tsx';
import { NodeIcon } from '../node-outline.tsx';
import { NodeChip } from '../run-status.tsx';
import type { ShownState } from '../run-words.ts';
import classes from './drawing.module.css';

export type CardNode = Node<
  {
    node: WorkflowNode;
    happened:
      | {
          state: ShownState;
          isDryRun: boolean;
          isWithoutHosts: boolean;
          begin: string | null;
          end: string | null;
        }
      | undefined;
    isChosen: boolean;
    isWrong: boolean;
    isEdited: boolean;
    onChoose: (() => void) | undefined;
  },
  'card'
>;

export function NodeCard({ data }: NodeProps<CardNode>) {
  const { happened, isChosen, isWrong, isEdited, onChoose } = data;
  const look = {
    'data-chosen': isChosen || undefined,
    'data-wrong': isWrong || undefined,
    'data-state': happened?.state,
  };
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={isEdited} />
      {onChoose ? (
        <button
          type="button"
          className={classes.card}
          {...look}
          aria-pressed={isEdited ? isChosen : undefined}
          onClick={onChoose}
        >
          <CardWords data={data} />
        </button>
      ) : (
        <div className={classes.card} {...look}>
          <CardWords data={data} />
        </div>
      )}
      <Handle type="source" position={Position.Bottom} isConnectable={isEdited} />
    </>
  );
}

function CardWords({ data: { node, happened } }: Pick<NodeProps<CardNode>, 'data'>) {
  return (
    <>
      <span className="row gap-8 min-w-0 weight-550" title={node.name}>
        <span className="inline-flex soft">
          <NodeIcon type={node.type} />
        </span>
        <span className="cut">{node.name}</span>
      </span>
      <span className="row gap-8 smaller soft nowrap">
        {happened ? (
          <>
            <NodeChip state={happened.state} />
            {happened.isDryRun && <DryRunBadge />}
            {happened.isWithoutHosts && <NoHostsBadge />}
            {/* A waiting approval has no space for the time. */}
            {happened.begin !== null && happened.state !== 'approval' && (
              <Duration start={happened.begin} end={happened.end} />
            )}
          </>
        ) : (
          t(`workflow.type.${node.type}`)
        )}
      </span>
    </>
  );
}
