// The addresses of templates, which are below that of the view in which they are opened.

import { useLocation, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
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

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the form of a template was opened from the screen before it in the history. */
    isFormAboveScreen?: boolean;
  }
}

const aboveScreen = { isFormAboveScreen: true };

/** Returns to the screen below the form, which then has its scroll position again. */
function useCloseForm(below: string) {
  const { state } = useLocation();
  const { history } = useRouter();
  const navigate = useNavigate();
  return (ignoreBlocker: boolean): void => {
    if (state.isFormAboveScreen) return history.back({ ignoreBlocker });
    void navigate({
      to: below,
      search: (before) => ({ ...before, edit: undefined, copy: undefined }),
      replace: true,
      ignoreBlocker,
    });
  };
}

/** The view in which templates are shown, and the template that the form edits or copies. */
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
    void navigate({ to: '.', search: (before) => ({ ...before, ...part }), state: aboveScreen });
  const close = useCloseForm(isNew ? templatesPath(projectId, viewId) : '.');
  const onCancel = () => close(false);
  const may = useAccess(projectId);
  const mayNew = may('template.edit');
  const mayManage =
    typeof edit === 'number' ? may('template.edit', { type: 'template', id: edit }) : mayNew;
  const isOpen = isNew || edit !== undefined || copy !== undefined;
  useRefusedForm(isOpen && !mayManage, onCancel);
  return {
    projectId,
    viewId,
    edit: !mayManage ? null : isNew ? ('new' as const) : (edit ?? null),
    copy: mayManage ? (copy ?? null) : null,
    /** Whether the form is shown, which takes the place of the list or page below. */
    isFormOpen: mayManage && isOpen,
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
        state: aboveScreen,
      }),
    onNewWorkflow: () =>
      void navigate({
        to: '/project/$projectId/workflows/new',
        params: { projectId },
        search: { in_view: viewId ?? undefined },
      }),
    onEdit: (id: number) => open({ edit: id }),
    onCopy: (id: number) => open({ copy: id }),
    onCancel,
    onSaved: () => close(true),
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
