import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconTrash, IconUserPlus } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy, useState } from 'react';
import type { Member } from '#shared/api/members.ts';
import type { Role } from '#shared/permissions.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ActionButton } from '../../ui/buttons/action-button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Page } from '../../ui/page/page.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { changeRole, leaveProject, memberQueries, removeMember } from './members.queries.ts';
import { RoleSelect } from './role-select.tsx';

const LinkMemberDialog = lazy(async () => ({
  default: (await import('./link-member-dialog.tsx')).LinkMemberDialog,
}));

interface Props {
  projectId: number;
  userId: number;
  /** Whether the user is an administrator, who may leave beside another owner. */
  isAdmin: boolean;
  mayManage: boolean;
  onLeft: () => void;
}

export function TeamPage({ projectId, userId, isAdmin, mayManage, onLeft }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(memberQueries.list(projectId));
  const [isLinking, setLinking] = useState(false);
  const [removed, setRemoved] = useState<Member | null>(null);
  const [isLeaving, setLeaving] = useState(false);
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
              refused={whyKept({ t, members: data, userId, isAdmin }, self)}
              onClick={() => setLeaving(true)}
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
        <Failure message={errorWords(error)} onRetry={() => void refetch()} />
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
              t,
              userId,
              isAdmin,
              mayManage,
              hasRules,
              role,
              members: data,
              onRemove: setRemoved,
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
      <RemoveDialog projectId={projectId} member={removed} onClose={() => setRemoved(null)} />
      <LeaveDialog
        projectId={projectId}
        opened={isLeaving}
        onClose={() => setLeaving(false)}
        onLeft={onLeft}
      />
    </Page>
  );
}

type ChangeRole = (member: Member, role: Role) => void;

/** Saves a chosen role at once; the list shows the stored role. */
function useChangeRole(projectId: number): ChangeRole {
  const { t } = useTranslation();
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
        onError: (error) => toastError(errorWords(error)),
      },
    );
}

interface Cells {
  t: TFunction;
  userId: number;
  isAdmin: boolean;
  mayManage: boolean;
  /** Whether rules gave some of the roles: each row then says whether one did. */
  hasRules: boolean;
  role: ChangeRole;
  members: Member[] | undefined;
  onRemove: (member: Member) => void;
}

function columns(cells: Cells): Column<Member>[] {
  const { t, userId, mayManage, hasRules, role, onRemove } = cells;
  return [
    {
      key: 'name',
      title: t('team.name'),
      wide: true,
      cell: ({ id, name, from_rules: isFromRules }) => (
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
      ),
    },
    { key: 'username', title: t('team.username'), from: 'small', cell: ({ username }) => username },
    {
      key: 'role',
      title: t('team.role'),
      cell: (member) =>
        mayManage ? (
          <div style={{ width: 'clamp(118px, 34vw, 168px)' }}>
            <RoleSelect
              size="xs"
              aria-label={t('team.role_of', { name: member.name })}
              value={member.role}
              onChange={(next) => role(member, next)}
            />
          </div>
        ) : (
          t(`role.${member.role}`)
        ),
    },
    ...(mayManage
      ? [
          {
            key: 'actions',
            title: '',
            hiddenTitle: t('common.actions'),
            align: 'end' as const,
            cell: (member: Member) => (
              <IconButton
                label={t('team.remove_label', { name: member.name })}
                hint={t('team.remove')}
                icon={<IconTrash size={16} />}
                refused={whyKept(cells, member)}
                onClick={() => onRemove(member)}
              />
            ),
          },
        ]
      : []),
  ];
}

/** Why a member cannot be removed; null if they can. */
function whyKept(
  { t, members = [], userId, isAdmin }: Pick<Cells, 't' | 'members' | 'userId' | 'isAdmin'>,
  { id, role }: Member,
): string | null {
  if (role !== 'owner') return null;
  // Without this member nobody could manage the project.
  const isOnly = members.filter((one) => one.role === 'owner').length === 1;
  if (isOnly) return t('errors.member.last_owner');
  return id === userId && !isAdmin ? t('errors.member.owner_leaves') : null;
}

interface RemoveProps {
  projectId: number;
  member: Member | null;
  onClose: () => void;
}

function RemoveDialog({ projectId, member, onClose }: RemoveProps) {
  const { t } = useTranslation();
  const remove = useMutation(removeMember());
  const name = member?.name ?? '';
  const again = member?.from_rules ? [t('team.remove_by_rule_text', { name })] : [];
  const text = [t('team.remove_text', { name }), ...again].join(' ');
  const confirm = () =>
    member &&
    remove.mutate(
      { params: { project_id: projectId, user_id: member.id } },
      {
        onSuccess: () => toast(t('team.removed', { name })),
        onError: (error) => toastError(errorWords(error)),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      opened={member !== null}
      onClose={onClose}
      title={t('team.remove_title')}
      text={text}
      action={t('team.remove')}
      busy={remove.isPending}
      onConfirm={() => void confirm()}
    />
  );
}

interface LeaveDialogProps extends Pick<Props, 'projectId' | 'onLeft'> {
  opened: boolean;
  onClose: () => void;
}

function LeaveDialog({ projectId, opened, onClose, onLeft }: LeaveDialogProps) {
  const { t } = useTranslation();
  const leave = useMutation(leaveProject());
  const confirm = () =>
    leave.mutate(
      { params: { project_id: projectId } },
      { onSuccess: onLeft, onError: (error) => toastError(errorWords(error)), onSettled: onClose },
    );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('team.leave')}
      text={t('team.leave_text')}
      action={t('team.leave')}
      busy={leave.isPending}
      onConfirm={confirm}
    />
  );
}
