import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { canonicalSurveyType } from '#shared/survey/survey-types.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { SortableList } from '../../../ui/lists/sortable-list.tsx';

interface Props {
  label: string;
  variables: SurveyVariable[];
  errorOf?: (index: number) => ReactNode;
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
  /** Opens the editor of a variable; `null` for a new one. */
  onVariable: (index: number | null) => void;
}

export function SurveyList({ label, variables, errorOf, onMove, onRemove, onVariable }: Props) {
  return (
    <div>
      {variables.length === 0 ? (
        <p className="soft">{t('survey.none')}</p>
      ) : (
        <SortableList
          label={label}
          items={variables}
          itemKey={({ name }) => name}
          itemName={({ title }) => title}
          onMove={onMove}
        >
          {({ name, title, type, required }, index) => (
            <>
              <span className="column grow">
                <span className="weight-550 cut" title={title}>
                  {title}
                </span>
                <span className="smaller soft cut">
                  <code>{name}</code> · {t(`survey.type.${canonicalSurveyType(type) || 'string'}`)}
                  {required && ` · ${t('survey.required')}`}
                  <span className="color-danger">{errorOf?.(index)}</span>
                </span>
              </span>
              <IconButton
                label={t('common.edit_label', { name: title })}
                hint={t('common.edit')}
                icon={<IconPencil size={16} />}
                onClick={() => onVariable(index)}
              />
              <IconButton
                label={t('common.delete_label', { name: title })}
                hint={t('common.delete')}
                icon={<IconTrash size={16} />}
                onClick={() => onRemove(index)}
              />
            </>
          )}
        </SortableList>
      )}
      <div className="flex wrap gap-8 pt-8">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => onVariable(null)}
        >
          {t('survey.add')}
        </Button>
      </div>
    </div>
  );
}
