// The addresses of templates, which stand below the view that they are looked at in.

export const templatesPath = (projectId: number, viewId: number | null): string =>
  viewId === null
    ? `/project/${projectId}/templates`
    : `/project/${projectId}/views/${viewId}/templates`;

export const templatePath = (projectId: number, viewId: number | null, id: number): string =>
  `${templatesPath(projectId, viewId)}/${id}`;

export const newTemplatePath = (projectId: number, viewId: number | null): string =>
  `${templatesPath(projectId, viewId)}/new/edit`;
