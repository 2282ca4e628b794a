// With what a task was launched, as texts.

import type { OnlyHosts } from '#shared/api/tasks.ts';
import { numberText } from '../../lib/i18n.ts';

/** The hosts to which a task is restricted: the first names, and the number of all if there are more. */
export const hostNames = ({ names, count }: OnlyHosts): string =>
  names.length < count ? `${names.join(', ')}, … (${numberText(count)})` : names.join(', ');

/** The answers of a task, a JSON object, as "name=value" pairs. */
export const answersText = (environment: string): string =>
  Object.entries(parsed(environment) ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');

/** Returns null for a text that is no JSON object, which older tasks may have. */
function parsed(text: string): object | null {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    return null;
  }
}
