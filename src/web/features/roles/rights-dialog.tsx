import { t } from '../../lib/i18n.ts';
import { RightsList } from '../../lib/roles/rights-list.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { groupsOf } from './right-groups.ts';
import type { RoleRow } from '../../lib/roles/role-rows.ts';

interface Props {
  role: RoleRow;
  opened: boolean;
  onClose: () => void;
}

/** What a role that the user does not change allows. */
export function RightsDialog({ role, opened, onClose }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('role.rights_of', { name: role.name })}
      size={640}
      help="role"
    >
      <div className="column gap-16">
        {role.description && <p className="soft break">{role.description}</p>}
        {groupsOf((right) => role.rights.includes(right)).map(({ group, rights }) => (
          <section key={group}>
            <h3 className="text-14 weight-600 pb-4">{t(`role.group.${group}`)}</h3>
            <RightsList rights={rights} />
          </section>
        ))}
      </div>
    </Dialog>
  );
}
