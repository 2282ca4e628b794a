// The props of the forms of nodes.

import type { ReactNode } from 'react';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';

/** The parts of the forms that other nouns own. */
export interface NodeParts {
  renderZone: (input: { value: string; onChange: (zone: string) => void }) => ReactNode;
  renderSurvey: (
    variables: SurveyVariable[],
    onChange: (variables: SurveyVariable[]) => void,
  ) => ReactNode;
}

export interface NodeFieldsContext extends NodeParts {
  projectId: number;
  /** The workflow that is edited, which cannot contain itself; null for a new one. */
  workflowId: number | null;
  graph: WorkflowGraph;
  onGraph: (graph: WorkflowGraph, about?: string | null) => void;
}

export interface FieldsProps<Node extends WorkflowNode> extends NodeFieldsContext {
  node: Node;
  /** Changes the node; `about` names the field that is typed into. */
  onNode: (node: Node, about?: string) => void;
  /** Whether a field is wrong; what is wrong stands above the form. */
  isWrong: (field: string) => boolean;
}
