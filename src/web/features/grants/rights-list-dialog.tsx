import type { Right } from '#shared/rights.ts';
import { t } from '../../lib/i18n.ts';
import { RightsList } from '../../lib/roles/rights-list.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';

interface Props {
  name: string;
  rights: readonly Right[];
  opened: boolean;
  onClose: () => void;
}

/** Each right that somebody has on an object, with what it allows. */
export const RightsListDialog = ({ name, rights, opened, onClose }: Props) => (
  <Dialog
    opened={opened}
    onClose={onClose}
    title={t('role.rights_of', { name })}
    size={560}
    help="access"
  >
    {rights.length === 0 && <p className="soft">{t('access.can.see')}</p>}
    <RightsList rights={rights} />
  </Dialog>
);
