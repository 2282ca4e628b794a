import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { type CodeLanguage, formatted, languageParts } from './code-languages.ts';
import { codeTheme } from './code-theme.ts';

export type { CodeLanguage };

export interface CodeApi {
  /** Formats the text; a text with errors stays as it is. */
  format: () => void;
}

interface Props {
  api: Ref<CodeApi>;
  labelledBy: string;
  describedBy: string;
  invalid: boolean;
  path: string | undefined;
  language: CodeLanguage;
  value: string;
  onChange: (value: string) => void;
  readOnly: boolean;
  example: string;
}

const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

const replaceAll = (view: EditorView, text: string): void =>
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });

/**
 * When the browser itself replaces a selection, it inserts a style attribute, which violates the
 * CSP and is reported.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event;
  const { readOnly, selection } = view.state;
  const isOurs = inputType === 'insertText' && data !== null && !view.composing;
  if (!isOurs || readOnly || selection.main.empty) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type' });
  return true;
}

/** The editor itself: a chunk of its own, because it is large and few screens need it. */
export function CodeMirror(props: Props) {
  const { api, language, value, readOnly } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const parts = useRef({ language: new Compartment(), attributes: new Compartment() });
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorView.cspNonce.of(styleNonce()),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          lintGutter(),
          EditorView.lineWrapping,
          // Escape, then Tab leaves the editor: see the help of CodeMirror for the keyboard.
          keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
          EditorState.readOnly.of(readOnly),
          latest.current.example === '' ? [] : placeholder(latest.current.example),
          codeTheme,
          EditorView.domEventHandlers({ beforeinput: replaceSelection }),
          parts.current.language.of(languageParts(language)),
          parts.current.attributes.of(attributesOf(latest.current)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The props are applied to the existing editor below.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the editor lives as long as its box
  }, []);

  useEffect(() => {
    view.current?.dispatch({
      effects: parts.current.language.reconfigure(languageParts(language)),
    });
  }, [language]);
  const { labelledBy, describedBy, invalid, path } = props;
  useEffect(() => {
    const attributes = attributesOf({ labelledBy, describedBy, invalid, path });
    view.current?.dispatch({ effects: parts.current.attributes.reconfigure(attributes) });
  }, [labelledBy, describedBy, invalid, path]);
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== value) replaceAll(editor, value);
  }, [value]);
  useImperativeHandle(api, () => ({
    format() {
      const editor = view.current;
      const text = editor && formatted(language, editor.state.doc.toString());
      if (editor && text !== null && text !== undefined) replaceAll(editor, text);
    },
  }));
  return <div ref={host} />;
}

function attributesOf(props: Pick<Props, 'labelledBy' | 'describedBy' | 'invalid' | 'path'>) {
  return EditorView.contentAttributes.of({
    'aria-labelledby': props.labelledBy,
    'aria-describedby': props.describedBy,
    'aria-invalid': String(props.invalid),
    ...(props.path && { 'data-path': props.path }),
    // Escape lets Tab leave the editor; the dialog around it stays open.
    'data-mantine-stop-propagation': 'true',
  });
}
