import type { Right } from '#shared/rights.ts';
import { t } from '../../lib/i18n.ts';
import { rightName } from '../../lib/roles/may.ts';
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
    <dl className="column gap-8">
      {rights.map((right) => (
        <div key={right}>
          <dt>{rightName(right)}</dt>
          <dd className="soft smaller">{t(`rights.${right}.text`)}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
