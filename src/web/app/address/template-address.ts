// The addresses of templates, which are below that of the view in which they are opened.

import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { RowKind, TemplateStatus } from '../../features/templates/list/template-status.ts';
import type { Edited } from '../../ui/forms/edit-dialog.tsx';
import { useAccess } from '../session/access.ts';
import { useRefusedForm } from './edit-address.ts';

export const templatesPath = (projectId: number, viewId: number | null): string =>
  viewId === null
    ? `/project/${projectId}/templates`
    : `/project/${projectId}/views/${viewId}/templates`;

const templatePath = (projectId: number, viewId: number | null, id: number): string =>
  `${templatesPath(projectId, viewId)}/${id}`;

const newTemplatePath = (projectId: number, viewId: number | null): string =>
  `${templatesPath(projectId, viewId)}/new/edit`;

interface TemplateSearch {
  edit?: Edited | undefined;
  copy?: number | undefined;
  status?: TemplateStatus | undefined;
  kind?: RowKind | undefined;
}

/** The view in which templates are shown, and the template that a dialog edits or copies. */
export function useTemplateAddress() {
  const { projectId } = useParams({ from: '/app/project/$projectId' });
  const { viewId: param, templateId } = useParams({ strict: false });
  const viewId = param ?? null;
  const { edit: edited, copy: copied, status, kind }: TemplateSearch = useSearch({ strict: false });
  // The page of a template edits and copies only that template.
  const isOwn = (id: unknown): boolean => templateId === undefined || id === templateId;
  const edit = isOwn(edited) ? edited : undefined;
  const copy = isOwn(copied) ? copied : undefined;
  const isNew = useLocation().pathname.endsWith('/templates/new/edit');
  const navigate = useNavigate();
  const open = (part: { edit?: number; copy?: number }) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...part }), resetScroll: false });
  const onClose = () =>
    void navigate({
      to: isNew ? templatesPath(projectId, viewId) : '.',
      search: (before) => ({ ...before, edit: undefined, copy: undefined }),
      replace: true,
      resetScroll: false,
    });
  const mayManage = useAccess(projectId)('manage_resources');
  const isOpen = isNew || edit !== undefined || copy !== undefined;
  useRefusedForm(isOpen && !mayManage, onClose);
  return {
    projectId,
    viewId,
    edit: !mayManage ? null : isNew ? ('new' as const) : (edit ?? null),
    copy: mayManage ? (copy ?? null) : null,
    status,
    kind,
    onFilter: (wanted: Pick<TemplateSearch, 'status' | 'kind'>) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, ...wanted, page: undefined }),
        resetScroll: false,
      }),
    addressOf: (id: number) => templatePath(projectId, viewId, id),
    listAddress: (view: number | null) => templatesPath(projectId, view),
    onAll: () => void navigate({ to: templatesPath(projectId, null), replace: true }),
    onNew: () =>
      void navigate({
        to: newTemplatePath(projectId, viewId),
        search: (before) => before,
        resetScroll: false,
      }),
    onNewWorkflow: () =>
      void navigate({
        to: '/project/$projectId/workflows/new',
        params: { projectId },
        search: { in_view: viewId ?? undefined },
      }),
    onEdit: (id: number) => open({ edit: id }),
    onCopy: (id: number) => open({ copy: id }),
    onClose,
  };
}
export type TemplateAddress = ReturnType<typeof useTemplateAddress>;

/** Whether the templates are shown as a list or as the board of their versions. */
export function useTemplateView(projectId: number) {
  const { as }: { as?: 'board' } = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    view: as ?? ('list' as const),
    onView: (view: 'list' | 'board') =>
      void navigate({
        // The board is of the whole project.
        to: view === 'board' ? templatesPath(projectId, null) : '.',
        search: view === 'board' ? { as: view } : {},
        resetScroll: false,
      }),
  };
}
