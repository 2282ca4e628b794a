// Clients of other versions of the API switch a runner on and off with `active`; ours say with
// `draining` that it is given no more tasks.

import { z } from 'zod';
import { flag, compatOnly, type Forms, isBody, preferNonEmpty } from './forms.ts';

export const runnerForms: Forms = {
  fields: z.object({ active: flag }),
  read(given) {
    if (!isBody(given)) return { body: given, findings: [] };
    const { active, ...body } = given;
    if (active == null) return { body, findings: [] };
    if (typeof active !== 'boolean') {
      const wrong = { code: 'field.type', params: { expected: 'boolean' } } as const;
      return { body, findings: [{ path: 'active', ...wrong }] };
    }
    const value = !active;
    // Of two different answers the one that gives it no more tasks counts.
    if (body['draining'] == null || value) body['draining'] = value;
    const isOther = body['draining'] !== value;
    const contradictions = isOther ? [{ name: 'draining', path: 'active', value }] : [];
    return { body, findings: preferNonEmpty(body, contradictions) };
  },
};

export const shownRunnerForms = compatOnly({
  active: z.boolean(),
  /** Whether it has been heard of lately. */
  status: z.enum(['online', 'offline']),
  /** Whether it runs tasks that ask for no tags. */
  is_default: z.boolean(),
  /** Whether it has entered, or has the database. */
  registered: z.boolean(),
  /** When it was last heard of; null before it has entered. */
  touched: z.string().nullable(),
});

interface InOneForm {
  draining: boolean | null;
  state: string;
  /** A server with the role `web` runs no tasks. */
  role: string;
  tags: string[];
  last_seen: string;
}

export const showRunnerForms = <Runner extends InOneForm>(runner: Runner) => ({
  ...runner,
  active: runner.draining !== true && runner.role !== 'web',
  status: ['ready', 'draining'].includes(runner.state) ? ('online' as const) : ('offline' as const),
  is_default: runner.tags.length === 0 && runner.role !== 'web',
  registered: runner.state !== 'new',
  touched: runner.state === 'new' ? null : runner.last_seen,
});
