import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconTrash, IconUserPlus } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import type { Member } from '#shared/api/members.ts';
import type { Role } from '#shared/permissions.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { toastFailure, useConfirmed } from '../../resources/use-confirmed.tsx';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Page } from '../../ui/page/page.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { actionsColumn, column } from '../../resources/columns.ts';
import { changeRole, leaveProject, memberQueries, removeMember } from './members.queries.ts';

const LinkMemberDialog = lazyExport(() => import('./link-member-dialog.tsx'), 'LinkMemberDialog');
const RoleSelect = lazyExport(() => import('./role-select.tsx'), 'RoleSelect');

interface Props {
  projectId: number;
  userId: number;
  /** Whether the user is an administrator, who may leave although no other owner remains. */
  isAdmin: boolean;
  mayManage: boolean;
  onLeft: () => void;
}

export function TeamPage({ projectId, userId, isAdmin, mayManage, onLeft }: Props) {
  const { data, error, refetch } = useQuery(memberQueries.list(projectId));
  const [isLinking, setLinking] = useState(false);
  const removal = useRemoval(projectId);
  const leaving = useLeaving(projectId, onLeft);
  const role = useChangeRole(projectId);
  const self = data?.find(({ id }) => id === userId);
  const hasRules = data?.some((member) => member.from_rules) ?? false;
  return (
    <Page
      title={t('team.title')}
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
              userId,
              isAdmin,
              mayManage,
              hasRules,
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

type ChangeRole = (member: Member, role: Role) => void;

function useChangeRole(projectId: number): ChangeRole {
  const change = useMutation(changeRole());
  return ({ id, name, from_rules: isFromRules }, role) =>
    change.mutate(
      { params: { project_id: projectId, user_id: id }, body: { role } },
      {
        onSuccess: () =>
          toast(
            t(isFromRules ? 'team.role_kept' : 'team.role_changed', {
              name,
              role: t(`role.${role}`),
            }),
          ),
        onError: toastFailure,
      },
    );
}

interface Cells {
  userId: number;
  isAdmin: boolean;
  mayManage: boolean;
  /** Whether group rules assigned some of the roles: each row then shows the source of its role. */
  hasRules: boolean;
  role: ChangeRole;
  members: Member[] | undefined;
  onRemove: (member: Member) => void;
}

function columns(cells: Cells): Column<Member>[] {
  const { userId, mayManage, hasRules, role, onRemove } = cells;
  return [
    column('name', t('team.name'), { wide: true }, ({ id, name, from_rules: isFromRules }) => (
      <>
        {name}
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
      mayManage ? (
        <div style={{ width: 'clamp(118px, 34vw, 168px)' }}>
          <Suspense fallback={t(`role.${member.role}`)}>
            <RoleSelect
              size="xs"
              aria-label={t('team.role_of', { name: member.name })}
              value={member.role}
              onChange={(next) => role(member, next)}
            />
          </Suspense>
        </div>
      ) : (
        t(`role.${member.role}`)
      ),
    ),
    ...(mayManage
      ? [
          actionsColumn((member: Member) => (
            <IconButton
              label={t('team.remove_label', { name: member.name })}
              hint={t('team.remove')}
              icon={<IconTrash size={16} />}
              refused={whyKept(cells, member)}
              onClick={() => onRemove(member)}
            />
          )),
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
