import type { GrantedType } from '#shared/grants/granted-types.ts';
import type { May } from '../../lib/roles/may.ts';
import type { ZoneRenderer } from '../../resources/limits/limit-values.ts';

export interface GrantScope {
  /** Nobody gives more than they may do with the object themselves. */
  may: May;
  /** What a new grant is about; null: it is chosen in the dialog. */
  object: { type: GrantedType; id: number; name: string } | null;
  renderZone: ZoneRenderer;
}
