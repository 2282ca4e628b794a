import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconTrash, IconUserPlus } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import type { Member } from '#shared/api/members.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import type { May } from '../../lib/roles/may.ts';
import { toastFailure, useConfirmed } from '../../resources/use-confirmed.tsx';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Page } from '../../ui/page/page.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { actionsColumn, column } from '../../resources/columns.ts';
import { useRoleChoices } from '../roles/roles.queries.ts';
import { hasAll, type RoleRow } from '../../lib/roles/role-rows.ts';
import { changeRole, leaveProject, memberQueries, removeMember } from './members.queries.ts';

const LinkMemberDialog = lazyExport(() => import('./link-member-dialog.tsx'), 'LinkMemberDialog');
const RoleSelect = lazyExport(() => import('./role-select.tsx'), 'RoleSelect');

interface Props {
  projectId: number;
  userId: number;
  /** Whether the user is an administrator, who may leave although no other owner remains. */
  isAdmin: boolean;
  may: May;
  /** Links to the lists beside this one. */
  tabs: ReactNode;
  onLeft: () => void;
}

export function TeamPage({ projectId, userId, isAdmin, may, tabs, onLeft }: Props) {
  const mayManage = may('member.manage');
  const roles = useRoleChoices(projectId);
  const { data, error, refetch } = useQuery(memberQueries.list(projectId));
  const [isLinking, setLinking] = useState(false);
  const removal = useRemoval(projectId);
  const leaving = useLeaving(projectId, onLeft);
  const role = useChangeRole(projectId, roles);
  const self = data?.find(({ id }) => id === userId);
  const hasRules = data?.some((member) => member.from_rules) ?? false;
  return (
    <Page
      title={t('team.title')}
      tabs={tabs}
      actions={
        <>
          {self && (
            <ActionButton
              variant="default"
              refused={whyKept({ members: data, userId, isAdmin }, self)}
              onClick={() => leaving.ask(self)}
            >
              {t('team.leave')}
            </ActionButton>
          )}
          {mayManage && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={() => setLinking(true)}>
              {t('team.new')}
            </Button>
          )}
        </>
      }
    >
      {error && !data ? (
        <QueryFailure error={error} refetch={refetch} />
      ) : (
        <>
          {hasRules && mayManage && (
            <p className="soft" style={{ maxWidth: '72ch', marginBottom: 12 }}>
              {t('team.by_rule_text')}
            </p>
          )}
          <DataTable
            label={t('team.title')}
            columns={columns({
              projectId,
              userId,
              isAdmin,
              may,
              mayChange: (member) => mayManage && mayGive(may, roles, member.role),
              hasRules,
              nameOf: ({ role: slug }) => roleOf(roles, slug)?.name ?? slug,
              role,
              members: data,
              onRemove: removal.ask,
            })}
            rows={data}
            rowKey={({ id }) => id}
          />
        </>
      )}
      <OnceOpened opened={isLinking}>
        <LinkMemberDialog
          projectId={projectId}
          may={may}
          members={data ?? []}
          opened={isLinking}
          onClose={() => setLinking(false)}
        />
      </OnceOpened>
      {removal.dialog}
      {leaving.dialog}
    </Page>
  );
}

const roleOf = (roles: RoleRow[], slug: string): RoleRow | undefined =>
  roles.find((one) => one.slug === slug);

/** A role that is no longer known, or has rights that the user lacks, is not theirs to change. */
function mayGive(may: May, roles: RoleRow[], slug: string): boolean {
  const role = roleOf(roles, slug);
  return role !== undefined && hasAll(may, role.rights);
}

type ChangeRole = (member: Member, role: RoleRow['slug']) => void;

function useChangeRole(projectId: number, roles: RoleRow[]): ChangeRole {
  const change = useMutation(changeRole());
  return ({ id, name, from_rules: isFromRules }, role) =>
    change.mutate(
      { params: { project_id: projectId, user_id: id }, body: { role } },
      {
        onSuccess: () =>
          toast(
            t(isFromRules ? 'team.role_kept' : 'team.role_changed', {
              name,
              role: roleOf(roles, role)?.name ?? role,
            }),
          ),
        onError: toastFailure,
      },
    );
}

interface Cells {
  projectId: number;
  userId: number;
  isAdmin: boolean;
  may: May;
  mayChange: (member: Member) => boolean;
  /** Whether group rules assigned some of the roles: each row then shows the source of its role. */
  hasRules: boolean;
  nameOf: (member: Member) => string;
  role: ChangeRole;
  members: Member[] | undefined;
  onRemove: (member: Member) => void;
}

function columns(cells: Cells): Column<Member>[] {
  const { projectId, userId, may, mayChange, hasRules, nameOf, role, onRemove } = cells;
  return [
    column('name', t('team.name'), { wide: true }, ({ id, name, from_rules: isFromRules }) => (
      <>
        {may('grant.edit') ? (
          <Link
            to="/project/$projectId/team/access/$userId"
            params={{ projectId, userId: id }}
            className="weight-550 color-text"
            title={t('access.what_may', { name })}
          >
            {name}
          </Link>
        ) : (
          name
        )}
        {id === userId && (
          <span className="soft" style={{ marginInlineStart: 8 }}>
            {t('team.you')}
          </span>
        )}
        {hasRules && (
          <div className="soft cut">{t(isFromRules ? 'team.by_rule' : 'team.by_hand')}</div>
        )}
      </>
    )),
    { key: 'username', title: t('team.username'), from: 'small', cell: ({ username }) => username },
    column('role', t('team.role'), {}, (member) =>
      mayChange(member) ? (
        <div style={{ width: 'clamp(118px, 34vw, 168px)' }}>
          <Suspense fallback={nameOf(member)}>
            <RoleSelect
              projectId={projectId}
              may={may}
              size="xs"
              aria-label={t('team.role_of', { name: member.name })}
              value={member.role}
              onChange={(next) => role(member, next)}
            />
          </Suspense>
        </div>
      ) : (
        nameOf(member)
      ),
    ),
    ...(may('member.manage')
      ? [
          actionsColumn(
            (member: Member) =>
              mayChange(member) && (
                <IconButton
                  label={t('team.remove_label', { name: member.name })}
                  hint={t('team.remove')}
                  icon={<IconTrash size={16} />}
                  refused={whyKept(cells, member)}
                  onClick={() => onRemove(member)}
                />
              ),
          ),
        ]
      : []),
  ];
}

function whyKept(
  { members = [], userId, isAdmin }: Pick<Cells, 'members' | 'userId' | 'isAdmin'>,
  { id, role }: Member,
): string | null {
  if (role !== 'owner') return null;
  // Without an owner, no member could manage the project.
  const isOnly = members.filter((one) => one.role === 'owner').length === 1;
  if (isOnly) return t('errors.member.last_owner');
  return id === userId && !isAdmin ? t('errors.member.owner_leaves') : null;
}

const useRemoval = (projectId: number) =>
  useConfirmed({
    mutation: removeMember(),
    argsOf: ({ id }: Member) => ({ params: { project_id: projectId, user_id: id } }),
    wordsOf: (member) => {
      const name = member?.name ?? '';
      const again = member?.from_rules ? [t('team.remove_by_rule_text', { name })] : [];
      return {
        title: t('team.remove_title'),
        text: [t('team.remove_text', { name }), ...again].join(' '),
        action: t('team.remove'),
      };
    },
    done: ({ name }) => t('team.removed', { name }),
  });

const useLeaving = (projectId: number, onLeft: () => void) =>
  useConfirmed({
    mutation: leaveProject(),
    argsOf: (_self: Member) => ({ params: { project_id: projectId } }),
    wordsOf: () => ({
      title: t('team.leave'),
      text: t('team.leave_text'),
      action: t('team.leave'),
    }),
    onDone: onLeft,
  });
