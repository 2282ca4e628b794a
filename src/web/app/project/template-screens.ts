// One chunk: most users who open the list also open a template.

export { readTemplates } from './read-templates.ts';
export { TemplateDetail } from './template.tsx';
export { Templates } from './templates.tsx';
