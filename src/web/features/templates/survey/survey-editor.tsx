import { Button } from '@mantine/core';
import { IconArrowBackUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { canonicalSurveyType } from '#shared/survey/survey-types.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { HelpLink } from '../../../ui/dialogs/help-link.tsx';
import { SortableList } from '../../../ui/lists/sortable-list.tsx';
import { Collapsible } from '../../../ui/page/collapsible.tsx';
import { useRowKeys } from './use-row-keys.ts';
import { VariableFields } from './variable-fields.tsx';

interface Props {
  label: string;
  /** The path of the survey in its form. */
  path: string;
  variables: SurveyVariable[];
  /**
   * `field`: the path of the input that has changed, such as `survey.0.title`; absent if variables
   * were added, moved or removed.
   */
  onChange: (variables: SurveyVariable[], field?: string) => void;
  /** The errors by the path of their input. */
  errors: Record<string, ReactNode>;
  /** Whether an answer may become an environment variable; answers of approvals cannot. */
  hasTarget?: boolean;
}

const newVariable: SurveyVariable = {
  name: '',
  title: '',
  description: '',
  type: '',
  required: false,
  values: null,
  default_value: '',
};

const titleOf = ({ title, name }: SurveyVariable): string => title || name || t('survey.new');

/** The variables of a survey, which are added, changed, moved and removed in place. */
export function SurveyEditor({ label, path, variables, onChange, errors, hasTarget }: Props) {
  const rows = useRowKeys(variables.length);
  const [removed, setRemoved] = useState<{ variable: SurveyVariable; index: number } | null>(null);
  const insert = (variable: SurveyVariable, index: number) => {
    setRemoved(null);
    rows.insert(index);
    onChange(variables.toSpliced(index, 0, variable));
  };
  const remove = (variable: SurveyVariable, index: number) => {
    setRemoved({ variable, index });
    rows.remove(index);
    onChange(variables.toSpliced(index, 1));
  };
  const move = (from: number, to: number) => {
    rows.move(from, to);
    const [moved] = variables.slice(from, from + 1);
    if (moved) onChange(variables.toSpliced(from, 1).toSpliced(to, 0, moved));
  };
  const items = variables.map((variable, index) => ({ variable, key: rows.keys[index] ?? 0 }));
  return (
    <div>
      {variables.length === 0 ? (
        <p className="soft">{t('survey.none')}</p>
      ) : (
        <SortableList
          label={label}
          items={items}
          itemKey={({ key }) => key}
          itemName={({ variable }) => titleOf(variable)}
          onMove={move}
        >
          {({ variable, key }, index) => {
            const at = `${path}.${index}`;
            return (
              <>
                <div className="grow py-4">
                  <Collapsible
                    title={<Summary variable={variable} />}
                    initiallyOpen={key === rows.newest}
                    hasError={Object.keys(errors).some((name) => name.startsWith(`${at}.`))}
                  >
                    <VariableFields
                      variable={variable}
                      path={at}
                      errors={errors}
                      hasTarget={hasTarget}
                      isNew={key === rows.newest}
                      onChange={(part, field) =>
                        onChange(variables.with(index, { ...variable, ...part }), field)
                      }
                    />
                  </Collapsible>
                </div>
                <IconButton
                  label={t('common.delete_label', { name: titleOf(variable) })}
                  hint={t('common.delete')}
                  icon={<IconTrash size={16} />}
                  onClick={() => remove(variable, index)}
                />
              </>
            );
          }}
        </SortableList>
      )}
      <div className="flex wrap items-center gap-8 pt-8">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => insert(newVariable, variables.length)}
        >
          {t('survey.add')}
        </Button>
        <HelpLink topic="survey" />
        {removed && (
          <Removed
            title={titleOf(removed.variable)}
            onUndo={() => insert(removed.variable, Math.min(removed.index, variables.length))}
          />
        )}
      </div>
    </div>
  );
}

function Summary({ variable }: { variable: SurveyVariable }) {
  const { name, type, required } = variable;
  return (
    <span className="column grow">
      <span className="cut">{titleOf(variable)}</span>{' '}
      <span className="smaller soft weight-400 cut">
        {name && <code>{name}</code>}
        {name && ' · '}
        {t(`survey.type.${canonicalSurveyType(type) || 'string'}`)}
        {required && ` · ${t('survey.required')}`}
      </span>
    </span>
  );
}

function Removed({ title, onUndo }: { title: string; onUndo: () => void }) {
  return (
    <output className="row gap-8">
      <span className="soft">{t('survey.removed', { title })}</span>
      <Button
        ref={focus}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowBackUp size={14} />}
        onClick={onUndo}
      >
        {t('workflow.editor.undo')}
      </Button>
    </output>
  );
}

/** The button that had the focus is gone. */
const focus = (button: HTMLElement | null): void => button?.focus();
