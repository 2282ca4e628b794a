// Lists the states of Terraform on all connected runners, and replaces the one in use. A state may be on
// any runner; the names of disconnected runners are returned.

import type { BodyOf } from '#shared/api/endpoint.ts';
import type { KeptState, keptStates, KeptStates, ToldState } from '#shared/api/kept-states.ts';
import type { InspectionResult } from '#shared/api/runner-api.ts';
import type { Runner } from '#shared/api/runners.ts';
import { seenBy, type Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';
import { fail } from '../../lib/errors.ts';
import type { StateInspection } from '../../live/hub.ts';
import { requireProject } from '../../projects/projects.ts';
import { isKubernetes } from '../../runners/container-engines.ts';
import { runnerIdOf, getRunners } from '../../runners/administration.ts';
import { listKnownTemplates, requireTemplate } from '../templates/templates.ts';

/** Inspects a runner; null: no result in time. */
export type AskRunner = (
  runnerId: number | null,
  inspection: StateInspection,
) => Promise<InspectionResult | null>;

export interface StateRequest {
  projectId: number;
  templateId: number;
  isAdmin: boolean;
}

const MAX_RUNNERS = 50;

const connected: Runner['state'][] = ['ready', 'draining'];

/** The runners that may have states of the project: connected ones and others. */
async function listKeepers(
  ctx: Context,
  projectId: number,
): Promise<{ here: Runner[]; away: Runner[] }> {
  const all = (await getRunners(ctx)).filter(
    ({ state, role, project_id: owner, container_engine: engine }) =>
      // A new runner has never run a task. Pods keep nothing.
      state !== 'new' &&
      role !== 'web' &&
      !isKubernetes(engine) &&
      (owner === null || owner === projectId),
  );
  const isHere = ({ state }: Runner): boolean => connected.includes(state);
  const here = all.filter(isHere);
  const away = [...all.filter((one) => !isHere(one)), ...here.slice(MAX_RUNNERS)];
  return { here: here.slice(0, MAX_RUNNERS), away };
}

export async function listStates(
  ctx: Context,
  ask: AskRunner,
  { projectId, templateId, isAdmin }: StateRequest,
): Promise<KeptStates> {
  await requireTemplate(ctx, projectId, templateId);
  const inspection = { kind: 'states', project_id: projectId, template_id: templateId } as const;
  const { states, ...rest } = await askAll(ctx, ask, inspection);
  const shown = await shownOf(ctx, { projectId, isAdmin }, states);
  return { ...rest, states: shown.map(toKept) };
}

export async function listStatesOfProject(
  ctx: Context,
  ask: AskRunner,
  projectId: number,
): Promise<KeptStates> {
  const inspection = { kind: 'states', project_id: projectId, template_id: null } as const;
  const { states, ...rest } = await askAll(ctx, ask, inspection);
  return { ...rest, states: states.map(toKept) };
}

type WithRunner = ToldState & Pick<KeptState, 'runner_id' | 'runner_name'>;

const toKept = ({ installation: _installation, ...state }: WithRunner): KeptState => state;

async function askAll(
  ctx: Context,
  ask: AskRunner,
  inspection: Extract<StateInspection, { kind: 'states' }>,
): Promise<{ states: WithRunner[]; is_cut: boolean; silent: string[] }> {
  const { here, away } = await listKeepers(ctx, inspection.project_id);
  const results = await Promise.all(
    here.map(async (runner) => ({ runner, seen: await ask(runnerIdOf(ctx, runner), inspection) })),
  );
  const states: WithRunner[] = [];
  const silent = away.map(({ name }) => name);
  let isCut = false;
  for (const { runner, seen } of results) {
    if (seen?.kind !== 'states') silent.push(runner.name);
    else {
      const from = { runner_id: runner.id, runner_name: runner.name };
      states.push(...seen.seen.states.map((state) => ({ ...state, ...from })));
      isCut ||= seen.seen.is_cut;
    }
  }
  return { states, is_cut: isCut, silent };
}

/**
 * The states that a user may see and adopt: of those that were set aside, those of the project and of templates that
 * they see. One that is older than the project belongs to a project that had the same id in an earlier database.
 */
async function shownOf<State extends ToldState>(
  ctx: Context,
  { projectId, isAdmin }: Omit<StateRequest, 'templateId'>,
  states: State[],
): Promise<State[]> {
  if (isAdmin) return states;
  const { created } = await requireProject(ctx.db, projectId);
  const known = await listKnownTemplates({ ...ctx, db: seenBy(ctx) }, states);
  const seen = ctx.by.scope ? new Set(known.map((one) => one.template_id)) : null;
  return states.filter(
    ({ is, project_id: owner, template_id: template, installation, time }) =>
      is !== 'aside' ||
      (owner === projectId &&
        installation === ctx.installation &&
        time >= created &&
        (seen?.has(template) ?? true)),
  );
}

/** Replaces the state in use. `unfinished` are the ids of the unfinished tasks of the template. */
export async function takeState(
  ctx: Context,
  ask: AskRunner,
  { projectId, templateId, isAdmin, unfinished }: StateRequest & { unfinished: number[] },
  input: BodyOf<typeof keptStates.take>,
): Promise<void> {
  const template = await requireTemplate(ctx, projectId, templateId);
  const [task] = unfinished;
  if (task !== undefined) throw fail('state.in_use', { task });
  const { here, away } = await listKeepers(ctx, projectId);
  const isNamed = ({ id }: Runner): boolean => id === input.runner_id;
  const gone = away.find(isNamed);
  if (gone) throw fail('state.runner_silent', { runner: gone.name });
  const runner = here.find(isNamed);
  if (!runner) throw fail('state.not_found');
  const { runner_id: _runner, ...wanted } = input;
  const ids = { project_id: projectId, template_id: templateId };
  const askIt = async <Kind extends StateInspection['kind']>(
    inspection: Extract<StateInspection, { kind: Kind }>,
  ): Promise<Extract<InspectionResult, { kind: Kind }>> => {
    const seen = await ask(runnerIdOf(ctx, runner), inspection);
    if (seen?.kind === inspection.kind) return seen as Extract<InspectionResult, { kind: Kind }>;
    throw fail('state.runner_silent', { runner: runner.name });
  };
  const { seen } = await askIt<'states'>({ kind: 'states', ...ids });
  const shown = await shownOf(ctx, { projectId, isAdmin }, seen.states);
  const isWanted = ({ is, name }: ToldState): boolean => is === input.is && name === input.name;
  if (!shown.some(isWanted)) throw fail('state.not_found');
  const { seen: taken } = await askIt<'take_state'>({ kind: 'take_state', ...ids, ...wanted });
  if (taken.is === 'in_use') throw fail('state.in_use', { task: taken.task_id ?? 0 });
  if (taken.is === 'gone') throw fail('state.not_found');
  if (taken.is === 'unreadable') throw fail('state.unreadable');
  await record(ctx, {
    code: input.is === 'copy' ? 'template.state_copy_used' : 'template.state_adopted',
    projectId,
    object: { type: 'template', id: templateId, name: template.name },
    params: { workspace: input.workspace, state: input.name, runner: runner.name },
  });
}
