import type { GrantedType } from '#shared/grants/granted-types.ts';
import { t } from '../../lib/i18n.ts';

/** The name of a kind of objects, in the plural. */
export const kindName = (type: GrantedType): string => t(`activity.kind.${type}`);
