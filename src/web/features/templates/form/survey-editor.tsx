import { useState } from 'react';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { SurveyList } from './survey-list.tsx';
import { SurveyVariableDialog } from './survey-variable-dialog.tsx';

interface Props {
  label: string;
  variables: SurveyVariable[];
  onChange: (variables: SurveyVariable[]) => void;
}

/** A survey outside the template form, such as that of an approval. */
export function SurveyEditor({ label, variables, onChange }: Props) {
  // A new key for each opening, which resets the form.
  const [editor, setEditor] = useState({ opened: false, index: null as number | null, number: 0 });
  const move = (from: number, to: number) => {
    const [moved] = variables.slice(from, from + 1);
    if (moved) onChange(variables.toSpliced(from, 1).toSpliced(to, 0, moved));
  };
  const keep = (variable: SurveyVariable) =>
    onChange(
      editor.index === null ? [...variables, variable] : variables.with(editor.index, variable),
    );
  return (
    <>
      <SurveyList
        label={label}
        variables={variables}
        onMove={move}
        onRemove={(index) => onChange(variables.toSpliced(index, 1))}
        onVariable={(index) =>
          setEditor(({ number }) => ({ opened: true, index, number: number + 1 }))
        }
      />
      <SurveyVariableDialog
        key={editor.number}
        opened={editor.opened}
        variable={variables[editor.index ?? -1] ?? null}
        taken={variables.filter((_, index) => index !== editor.index).map(({ name }) => name)}
        onSave={keep}
        onClose={() => setEditor((before) => ({ ...before, opened: false }))}
      />
    </>
  );
}
