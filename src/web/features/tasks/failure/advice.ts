// Suggestions for failed tasks. Pure functions.

import { type FailureCode, taskFailures } from '#shared/catalogue/task-failures.ts';
import type { Task } from '#shared/api/tasks.ts';

/** Messages of Ansible and git in the last lines of a log, or in the reason of a failure. */
const causes = {
  limit: /--limit (?:does|do) not match|Could not match supplied host pattern/i,
  role: /\bthe role '[^']*' was not found/,
  collection: /couldn't resolve module\/action|unable to resolve the module/i,
  vault: /no vault secrets|Decryption failed|attempting to decrypt but/i,
  playbook: /\bthe playbook: /,
  inventory: /No inventory was parsed|Specified inventory\b|hosts? list is empty/i,
  syntax:
    /Syntax Error|YAML parsing failed|is not a valid attribute for|conflicting action statements|no module\/action detected|not a valid playbook|must be a list of plays/i,
  missing_file: /\bvars file \S+ was not found|Unable to retrieve file contents/i,
} as const;

/** The headlines of errors of Terraform and OpenTofu. */
const ofTerraform = {
  state_lock: /acquiring the state lock/,
  stale_plan: /Saved plan is stale/,
  missing_variable: /No value for required variable|not provided via -var/,
  provider_install: /query available provider packages|install provider|provider registry/i,
  provider_crash: /Plugin did not respond|plugin encountered an error|Plugin error/,
  state_in_repository: /approval for state migration/,
} as const;

/** Messages of git for an unreadable repository. */
const ofRepository =
  /\b(?:git|repository|remote branch|ssh host|askpass)\b|Authentication failed|Could not resolve host/i;

type Cause = keyof typeof causes;
type TerraformCause = keyof typeof ofTerraform;
export type Advice =
  | Cause
  | TerraformCause
  | 'repository'
  | 'outputs'
  | 'execution_environment'
  | 'container_lost'
  | 'pod_cluster'
  | 'pod_lost'
  | CodeAdvice;
type OwnCode = Exclude<
  FailureCode,
  | `failure.${'outputs' | 'tools' | 'python' | 'container' | 'pod' | 'image' | 'execution'}_${string}`
  | 'failure.program_error'
  | 'failure.no_hosts'
>;
type CodeAdvice = OwnCode extends `failure.${infer Code}` ? Code : never;

/**
 * Returns null for a code that this page does not know, because the server was upgraded meanwhile.
 */
export function adviceOf(
  failure: NonNullable<Task['failure']>,
  lines: readonly string[],
): Advice | null {
  const { code, params } = failure;
  if (!taskFailures.has(code)) return null;
  if (code === 'failure.preparation') {
    const reason = String(params['reason'] ?? '');
    return causeIn([reason]) ?? (ofRepository.test(reason) ? 'repository' : 'preparation');
  }
  if (code === 'failure.exit_code') return causeIn(lines) ?? 'exit_code';
  if (code === 'failure.program_error') {
    const error = String(params['error'] ?? '');
    const known = Object.keys(ofTerraform) as TerraformCause[];
    return known.find((cause) => ofTerraform[cause].test(error)) ?? 'exit_code';
  }
  if (code === 'failure.no_hosts') return 'inventory';
  if (code.startsWith('failure.outputs_')) return 'outputs';
  if (/^failure\.(?:tools|python|container|pod|image|execution)_/.test(code))
    return ofPrograms(code);
  return code.slice('failure.'.length) as CodeAdvice;
}

/** Failures of execution environments that somebody else than its owner corrects, or after which work may be half done. */
const ofOthers: Partial<Record<FailureCode, Advice>> = {
  'failure.tools_disk': 'disk_full',
  'failure.container_lost': 'container_lost',
  'failure.pod_not_started': 'pod_cluster',
  'failure.pod_runner_image': 'pod_cluster',
  'failure.pod_server': 'pod_cluster',
  'failure.pod_evicted': 'pod_lost',
  'failure.pod_disrupted': 'pod_lost',
  'failure.pod_deadline': 'pod_lost',
  'failure.pod_lost': 'pod_lost',
};

/** The advice for a failure of an execution environment. */
const ofPrograms = (code: FailureCode): Advice => ofOthers[code] ?? 'execution_environment';

const causeIn = (lines: readonly string[]): Cause | undefined =>
  (Object.keys(causes) as Cause[]).find((cause) => lines.some((line) => causes[cause].test(line)));

/** The last lines that are not empty, without the line that repeats the failure. */
export function lastWords(log: string, said: string | undefined, most: number): string[] {
  return log
    .split('\n')
    .filter((line) => line.trim() !== '' && line.trim() !== said)
    .slice(-most);
}
