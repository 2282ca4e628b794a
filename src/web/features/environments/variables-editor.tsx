import { Input, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { CodeEditor } from '../../ui/code/code-editor.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useFocusOfNew } from '../../ui/forms/use-focus-of-new.ts';
import { Segments } from '../../ui/page/segments.tsx';
import {
  fitsTable,
  rawValue,
  shownValue,
  textOf,
  type Variable,
  type VariableKind,
  variablesOf,
} from './variables.ts';
import classes from './variables-editor.module.css';
import { codeInput } from '../../resources/code-input.ts';
import { AddRowButton } from '../../resources/add-row-button.tsx';

interface Props {
  kind: VariableKind;
  label: string;
  description: string;
  value?: string;
  onChange: (text: string) => void;
  error?: ReactNode;
}

type Mode = 'table' | 'json';

export function VariablesEditor(props: Props) {
  const { kind, label, description, value = '', error } = props;
  const id = useId();
  const variables = variablesOf(value);
  const fits = fitsTable(variables);
  const [wanted, setMode] = useState<Mode>(fits ? 'table' : 'json');
  const mode = fits ? wanted : 'json';
  return (
    <section className="column gap-6" aria-labelledby={id}>
      <div className="row wrap between gap-8">
        <h3 id={id} className="text-14 weight-600">
          {label}
        </h3>
        <Segments<Mode>
          aria-label={t('environment.shown_as', { label })}
          data={[
            { value: 'table', label: t('environment.table'), disabled: !fits },
            { value: 'json', label: t('environment.json') },
          ]}
          value={mode}
          onChange={setMode}
        />
      </div>
      <Input.Description>{fits ? description : t('environment.json_only')}</Input.Description>
      {mode === 'table' ? (
        <Rows {...props} variables={variables ?? []} />
      ) : (
        <CodeEditor
          label={t('environment.json_of', { label })}
          language="json"
          path={kind}
          rows={5}
          value={value}
          onChange={props.onChange}
          error={error}
        />
      )}
    </section>
  );
}

function Rows({ kind, label, variables, onChange, error }: Props & { variables: Variable[] }) {
  const list = useFocusOfNew<HTMLDivElement>(variables.length);
  const change = (index: number, part: Partial<Variable>) =>
    onChange(textOf(variables.map((one, at) => (at === index ? { ...one, ...part } : one))));
  return (
    <div ref={list}>
      {variables.map((variable, index) => (
        <div key={index} className={`grid items-center gap-6 pb-6 ${classes.row}`}>
          <TextInput
            data-first
            {...codeInput}
            aria-label={t('environment.variable_name', { label, number: index + 1 })}
            placeholder={t('common.name')}
            data-path={index === 0 ? kind : undefined}
            value={variable.name}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
          />
          <TextInput
            {...codeInput}
            aria-label={t('environment.variable_value', { label, number: index + 1 })}
            placeholder={t('environment.value')}
            value={shownValue(variable, kind)}
            onChange={(event) => change(index, { raw: rawValue(event.currentTarget.value, kind) })}
          />
          <IconButton
            label={t('environment.remove_variable', { name: variable.name || index + 1 })}
            hint={t('common.delete')}
            icon={<IconTrash size={16} />}
            onClick={() => onChange(textOf(variables.toSpliced(index, 1)))}
          />
        </div>
      ))}
      {error && <Input.Error className="pb-6">{error}</Input.Error>}
      <AddRowButton onClick={() => onChange(textOf([...variables, { name: '', raw: '""' }]))}>
        {t('environment.add_variable')}
      </AddRowButton>
    </div>
  );
}
