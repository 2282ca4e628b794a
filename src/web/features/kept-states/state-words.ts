// Words about Terraform states. Pure functions.

import type { KeptState } from '#shared/api/kept-states.ts';
import { t } from '../../lib/i18n.ts';

/** The kind of a state: the current one, a copy, or one that was set aside. */
export function kindWords({ is, task_id: id, ...state }: KeptState): string {
  if (is === 'current') return t('kept_state.current');
  if (is === 'copy') return id === null ? t('kept_state.replaced') : t('kept_state.copy', { id });
  if (id !== null) return t('kept_state.left', { id });
  return t('kept_state.aside', { project: state.project_id, template: state.template_id });
}

/** The content of a state, in numbers. */
export function contentWords({ content, objects, serial }: KeptState): string {
  if (content === 'empty') return t('kept_state.empty');
  if (content === 'damaged') return t('kept_state.damaged');
  const counted = objects === null ? t('kept_state.unknown') : t('kept_state.objects', { objects });
  return serial === null ? counted : `${counted}, ${t('kept_state.serial', { serial })}`;
}

/** The number of objects in the current states, and their runners; null without objects. */
export function objectsInUse(states: KeptState[]): { objects: string; runners: string } | null {
  const held = states.filter(({ is, objects }) => is === 'current' && objects !== 0);
  if (held.length === 0) return null;
  const isKnown = held.every(({ objects }) => objects !== null);
  const sum = held.reduce((count, { objects }) => count + (objects ?? 0), 0);
  const runners = [...new Set(held.map(({ runner_name: name }) => name))].join(', ');
  return { objects: isKnown ? String(sum) : '?', runners };
}
