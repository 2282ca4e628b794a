// The list and the page of templates, loaded at once: who opens the one mostly opens the other.

export { readTemplates } from './read-templates.ts';
export { TemplateDetail } from './template.tsx';
export { Templates } from './templates.tsx';
