// Describes events in the language of the user.

import type { Event } from '#shared/api/events.ts';
import { type EventCode, recordedEvents } from '#shared/catalogue/recorded-events.ts';
import { taskStatuses } from '#shared/task-status.ts';
import { t } from '../../lib/i18n.ts';
import { roleName } from '../../lib/roles/role-name.ts';

type Params = Event['params'];

function valueInWords(name: string, value: string | number): string | number {
  if (name === 'role' || name === 'before') return roleName(String(value));
  const status = taskStatuses.find((one) => one === value);
  return status && name === 'status' ? t(`task.status.${status}`) : value;
}

/** The sentence of an event; `values` replace some of its parameters. */
export function eventWords({ code, params, description }: Event, otherwise: Params = {}): string {
  if (!recordedEvents.has(code)) return description;
  const values = Object.entries(params).map(([name, value]) => [name, valueInWords(name, value)]);
  return t(`events.${code}`, { ...Object.fromEntries(values), ...otherwise });
}

export function codeWords(code: EventCode): string {
  const names = [...recordedEvents.text(code).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  return t(`events.${code}`, Object.fromEntries(names.map((name) => [name, '…'])));
}

const words = (key: string): string => t(key as 'activity.kind.task');

export const kindWords = (kind: string): string => words(`activity.kind.${kind}`);

export const eventGroups = [
  ...new Set(recordedEvents.codes.map((code) => code.split('.')[0] ?? '')),
];
