// Describes runs of workflows, their nodes and their decisions in the language of the user.

import type { RunDecision, RunNode } from '#shared/api/workflow-runs.ts';
import { nodeFailures, workflowDecisions } from '#shared/workflows/decisions.ts';
import type { WorkflowNode } from '#shared/workflows/graph.ts';
import { failureWords } from '../../lib/error-words.ts';
import { languageTag, t } from '../../lib/i18n.ts';

const lists = new Intl.ListFormat(languageTag, { type: 'conjunction' });

/** A newer server may send a code that this page does not know. */
export function decisionWords({ code, params, because, text }: RunDecision): string {
  if (!workflowDecisions.has(code)) return text;
  const causes = because.map(({ node, state }) => t(`workflow.cause.${state}`, { node }));
  return t(`workflow.${code}`, { ...params, causes: lists.format(causes) });
}

/** Why a node failed; null without a failure or a reason. */
export function reasonWords({ reason, failure }: RunNode): string | null {
  if (reason === null) return failure && failureWords(failure);
  const { code, params, text } = reason;
  return nodeFailures.has(code) ? t(`workflow.${code}`, { ...params }) : text;
}

/** The state of a node; a waiting node has what it waits for. */
export type ShownState = RunNode['state'] | 'approval' | 'wait';

export function shownState(node: WorkflowNode, state: RunNode['state']): ShownState {
  if (state !== 'active') return state;
  return node.type === 'approval' || node.type === 'wait' ? node.type : state;
}
