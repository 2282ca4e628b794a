// Highlighting, linter and formatter of each language of the editor.

import { json, jsonParseLinter } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { StreamLanguage } from '@codemirror/language';
import { properties } from '@codemirror/legacy-modes/mode/properties';
import { type Diagnostic, linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { parseDocument, type YAMLError } from 'yaml';
import { prettyJson } from './pretty-json.ts';

export type CodeLanguage = 'json' | 'yaml' | 'ini' | 'text';

/** The form decides whether an empty text is an error. */
const unlessEmpty =
  (lint: (view: EditorView) => Diagnostic[]) =>
  (view: EditorView): Diagnostic[] =>
    view.state.doc.toString().trim() === '' ? [] : lint(view);

function yamlErrors(view: EditorView): Diagnostic[] {
  const { length } = view.state.doc;
  const { errors, warnings } = parseDocument(view.state.doc.toString(), { prettyErrors: false });
  const found = (severity: 'error' | 'warning') => (finding: YAMLError) => ({
    from: Math.min(finding.pos[0], length),
    to: Math.min(finding.pos[1], length),
    message: finding.message,
    severity,
  });
  return [...errors.map(found('error')), ...warnings.map(found('warning'))];
}

export function languageParts(language: CodeLanguage): Extension {
  if (language === 'json') return [json(), linter(unlessEmpty(jsonParseLinter()))];
  if (language === 'yaml') return [yaml(), linter(unlessEmpty(yamlErrors))];
  if (language === 'ini') return StreamLanguage.define(properties);
  return [];
}

/** Formats the text; null if it has errors or the language has no formatter. */
export function formatted(language: CodeLanguage, text: string): string | null {
  if (language === 'yaml') {
    const document = parseDocument(text);
    return document.errors.length > 0 ? null : document.toString();
  }
  return language === 'json' ? prettyJson(text) : null;
}
