// Decisions in runs of workflows, and the reasons of failed nodes.

import type { NodeState } from './run-status.ts';
import { type Coded, type CodeOf, defineCatalogue, fillIn } from '../catalogue/catalogue.ts';

export const workflowDecisions = defineCatalogue({
  'decision.launched': '{{user}} started the run.',
  'decision.launched_by_schedule': 'The schedule "{{schedule}}" started the run.',
  'decision.launched_by_integration': 'The integration "{{integration}}" started the run.',
  'decision.launched_by_run': 'Run #{{run}} started this run.',
  'decision.kept': '"{{node}}" succeeded in run #{{run}}, and its result is kept.',
  'decision.began': '"{{node}}" started.',
  'decision.began_because': '"{{node}}" started because {{causes}}.',
  'decision.skipped': '"{{node}}" was skipped because the run was stopped.',
  'decision.skipped_because': '"{{node}}" was skipped because {{causes}}.',
  'decision.approved': '{{user}} approved "{{node}}".',
  'decision.rejected': '{{user}} rejected "{{node}}".',
  'decision.approved_saying': '{{user}} approved "{{node}}": {{comment}}',
  'decision.rejected_saying': '{{user}} rejected "{{node}}": {{comment}}',
  'decision.succeeded': '"{{node}}" succeeded.',
  'decision.failed': '"{{node}}" failed.',
  'decision.stopping': '{{user}} stopped the run.',
  'decision.stopping_with_run': 'Run #{{run}} stopped this run.',
  'decision.ended_success': 'The run succeeded.',
  'decision.ended_error': 'The run failed.',
  'decision.ended_stopped': 'The run was stopped.',
});
export type DecisionCode = CodeOf<typeof workflowDecisions>;

const causes: Record<NodeState, string> = {
  idle: '"{{node}}" has not started',
  active: '"{{node}}" started',
  success: '"{{node}}" succeeded',
  failure: '"{{node}}" failed',
  skipped: '"{{node}}" was skipped',
};

export interface Cause {
  node: string;
  state: NodeState;
}

export function decisionMessage({ code, params }: Coded<DecisionCode>, because: Cause[]): string {
  const parts = because.map(({ node, state }) => fillIn(causes[state], { node }));
  return workflowDecisions.message({ code, params: { ...params, causes: parts.join(' and ') } });
}

export const nodeFailures = defineCatalogue({
  'reason.launch': 'The node "{{node}}" could not start: {{reason}}',
  'reason.input_missing':
    'The node "{{node}}" needs the output {{output}}, which "{{other}}" did not set.',
  'reason.build_missing':
    'The node "{{node}}" deploys the build of "{{other}}", which has no successful task.',
  'reason.rejected': '{{user}} rejected "{{node}}".',
  'reason.timed_out': 'No one decided "{{node}}" in time.',
  'reason.nobody_approves':
    'No one can approve "{{node}}": it names no member of the project and no role that a member has.',
  'reason.stopped': 'The run was stopped.',
  'reason.nested_too_deep':
    'The node "{{node}}" nests workflows more than {{most}} deep. Nest them less.',
});
export type Reason = Coded<CodeOf<typeof nodeFailures>>;
