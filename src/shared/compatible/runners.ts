// Clients of other versions of the API send `active` instead of `draining`.

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
    // Of two different values, draining wins.
    if (body['draining'] == null || value) body['draining'] = value;
    const isOther = body['draining'] !== value;
    const contradictions = isOther ? [{ name: 'draining', path: 'active', value }] : [];
    return { body, findings: preferNonEmpty(body, contradictions) };
  },
};

export const shownRunnerForms = compatOnly({
  active: z.boolean(),
  /** Whether it sends heartbeats. */
  status: z.enum(['online', 'offline']),
  /** Whether it runs tasks that require no tags. */
  is_default: z.boolean(),
  /** Whether it has registered, or has the database. */
  registered: z.boolean(),
  /** The time of the last heartbeat; null: not registered. */
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
