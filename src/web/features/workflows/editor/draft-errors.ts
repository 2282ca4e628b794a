// The errors of an edited workflow, by node.

import type { ReactNode } from 'react';
import { newWorkflow } from '#shared/api/workflows.ts';
import { type Finding, findingsOf } from '#shared/field-errors.ts';
import { checkGraph } from '#shared/workflows/check-graph.ts';
import type { FormErrors } from '@mantine/form';
import { fieldWords } from '../../../lib/error-words.ts';
import type { Draft } from './edits.ts';

/** Errors of the graph, such as cycles; shown while editing. */
export const findingsOfGraph = ({ graph }: Draft): FormErrors => wordsOf(checkGraph(graph));

/** Everything that the server would refuse. */
export function findingsOfDraft(draft: Draft): FormErrors {
  return { ...wordsOf(findingsOf(newWorkflow, draft)), ...findingsOfGraph(draft) };
}

const wordsOf = (findings: Finding[]): FormErrors =>
  Object.fromEntries(
    findings.map(({ path, code, params }) => [path, fieldWords(code, params)] as const),
  );

export interface NodeError {
  /** The path in the form. */
  path: string;
  /** The path within the node; empty for one of its edges. */
  field: string;
  words: ReactNode;
}

/** The errors of each node, by its key; those of an edge belong to its end node. */
export function errorsByNode({ graph }: Draft, errors: FormErrors): Map<string, NodeError[]> {
  const found = new Map<string, NodeError[]>();
  for (const [path, words] of Object.entries(errors)) {
    const [, kind, index, field] = /^graph\.(nodes|edges)\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
    const key = kind === 'nodes' ? graph.nodes[Number(index)]?.key : graph.edges[Number(index)]?.to;
    if (kind === undefined || key === undefined) continue;
    const error = { path, field: kind === 'nodes' ? (field ?? '') : '', words };
    found.set(key, [...(found.get(key) ?? []), error]);
  }
  return found;
}
