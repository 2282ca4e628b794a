import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { SortableList } from '../../../ui/lists/sortable-list.tsx';
import classes from './template-fields.module.css';
import type { FieldsProps } from './template-fields-props.ts';

/** The survey variables in the order of their questions. */
export function SurveyList({ form, onVariable }: Pick<FieldsProps, 'form' | 'onVariable'>) {
  const { t } = useTranslation();
  const { survey_vars: variables } = form.getValues();
  return (
    <div>
      {variables.length === 0 ? (
        <p className="soft">{t('survey.none')}</p>
      ) : (
        <SortableList
          label={t('template.form.survey')}
          items={variables}
          itemKey={({ name }) => name}
          itemName={({ title }) => title}
          onMove={(from, to) => form.reorderListItem('survey_vars', { from, to })}
        >
          {({ name, title, type, required }, index) => (
            <>
              <span className={classes.variable}>
                <span className="cut" title={title}>
                  {title}
                </span>
                <span className="soft cut">
                  <code>{name}</code> · {t(`survey.type.${type || 'string'}`)}
                  {required && ` · ${t('survey.required')}`}
                  <span className={classes.wrong}>{errorOf(form.errors, index)}</span>
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
                onClick={() => form.removeListItem('survey_vars', index)}
              />
            </>
          )}
        </SortableList>
      )}
      <div className={classes.add}>
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

/** The first error of a survey variable, if it has one. */
function errorOf(errors: FieldsProps['form']['errors'], index: number) {
  const path = Object.keys(errors).find((name) => name.startsWith(`survey_vars.${index}.`));
  return path === undefined ? null : <> · {errors[path]}</>;
}
