// The props of the forms of nodes.

import type { ReactNode } from 'react';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';

/** The parts of the forms that other features own. */
export interface NodeParts {
  renderZone: (input: { value: string; onChange: (zone: string) => void }) => ReactNode;
  renderSurvey: (survey: {
    path: string;
    variables: SurveyVariable[];
    errors: Record<string, ReactNode>;
    onChange: (variables: SurveyVariable[], field?: string) => void;
  }) => ReactNode;
}

export interface NodeFieldsContext extends NodeParts {
  projectId: number;
  /** The edited workflow, which cannot contain itself; null for a new one. */
  workflowId: number | null;
  graph: WorkflowGraph;
  onGraph: (graph: WorkflowGraph, about?: string | null) => void;
}

export interface FieldsProps<Node extends WorkflowNode> extends NodeFieldsContext {
  node: Node;
  /** `about`: the field that is typed into; see edits.ts. */
  onNode: (node: Node, about?: string) => void;
  /** Whether a field has an error; the message is above the form. */
  isWrong: (field: string) => boolean;
  /** The errors by field. */
  errors: Record<string, ReactNode>;
}
