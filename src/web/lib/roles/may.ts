// What the signed-in user may do in a project.

import type { GrantedType } from '#shared/grants/granted-types.ts';
import { type Right, rightNames } from '#shared/rights.ts';
import { t } from '../i18n.ts';

/** An object of the project, or any one of its objects. */
export type RightPlace = { type: GrantedType; id: number } | 'somewhere';

/** Whether the user has the right by their role in the project, or, with a place, there. */
export type May = (right: Right, place?: RightPlace) => boolean;

/** What the user may do with one object. */
export const mayOn =
  (may: May, type: GrantedType, id: number): May =>
  (right) =>
    may(right, { type, id });

interface Started {
  template_id: number | null;
  workflow_id: number | null;
}

/** What the user may do with a schedule or an integration: that of what it starts decides. */
export function mayOnStarter(may: May, { template_id: template, workflow_id: workflow }: Started) {
  if (template !== null) return mayOn(may, 'template', template);
  return workflow === null ? may : mayOn(may, 'workflow', workflow);
}

/** What the user may do with at least one object. */
export const maySomewhere =
  (may: May): May =>
  (right) =>
    may(right, 'somewhere');

/** The rights that change and start nothing, except that named approvers decide. */
const reading: readonly Right[] = [
  'event.audit',
  'task.log',
  'workflow.approve',
  'inventory.read',
  'environment.read',
];

const isReading = (right: Right): boolean => right.endsWith('.see') || reading.includes(right);

export const isReadOnly = (may: May): boolean =>
  rightNames.every((right) => isReading(right) || !may(right));

export const rightName = (right: Right): string => t(`rights.${right}.name`);

/** Why a button is refused to the user; null with the right. */
export function refusalOf(may: May, right: Right): string | null {
  if (may(right)) return null;
  return isReadOnly(may) ? t('role.read_only') : t('role.lacks', { right: rightName(right) });
}
