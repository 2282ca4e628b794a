// What the signed-in user may do in a project.

import { type Right, rightNames } from '#shared/rights.ts';
import { t } from '../i18n.ts';

/** Whether the user has the right in the project. */
export type May = (right: Right) => boolean;

/** The rights that change and start nothing, except that named approvers decide. */
const reading: readonly Right[] = [
  'event.audit',
  'workflow.approve',
  'inventory.read',
  'environment.read',
];

export const isReadOnly = (may: May): boolean =>
  rightNames.every((right) => reading.includes(right) || !may(right));

export const rightName = (right: Right): string => t(`rights.${right}.name`);

/** Why a button is refused to the user; null with the right. */
export function refusalOf(may: May, right: Right): string | null {
  if (may(right)) return null;
  return isReadOnly(may) ? t('role.read_only') : t('role.lacks', { right: rightName(right) });
}
