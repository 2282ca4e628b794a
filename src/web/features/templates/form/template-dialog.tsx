import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schedule } from '#shared/api/schedules.ts';
import { missingFormFields, newTemplate, type Template, templates } from '#shared/api/templates.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { errorWords, fieldWords } from '../../../lib/error-words.ts';
import { useBodyForm } from '../../../lib/form.ts';
import { t } from '../../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../../resources/use-editable-resource.ts';
import { EditDialog, type Edited, OpenedForm } from '../../../ui/forms/edit-dialog.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { scheduleQueries } from '../../schedules/schedules.queries.ts';
import { type Saved, useSaveTemplate } from './save-template.ts';
import { useNewResource } from './new-resource.tsx';
import { SurveyVariableDialog } from './survey-variable-dialog.tsx';
import type { TemplateParts } from './template-fields-props.ts';
import { TemplateFields } from './template-fields.tsx';
import {
  askedFields,
  inputPath,
  newValues,
  templateBody,
  templateValues,
  type TemplateValues,
} from './template-values.ts';

interface Props {
  projectId: number;
  edit: Edited;
  copy: number | null;
  viewId: number | null;
  parts: TemplateParts;
  onClose: () => void;
}

type DialogProps = Pick<Props, 'projectId' | 'onClose' | 'parts'>;

export function TemplateDialog({ projectId, edit, copy, viewId, parts, onClose }: Props) {
  const place = { projectId, parts, onClose };
  const size = 1040;
  return (
    <>
      <EditDialog
        edit={edit}
        onClose={onClose}
        newTitle={t('template.new')}
        editTitle={t('template.edit')}
        size={size}
        help="template"
      >
        {(id) =>
          id === null ? (
            <NewTemplate {...place} viewId={viewId} />
          ) : (
            <StoredTemplate key={id} {...place} templateId={id} />
          )
        }
      </EditDialog>
      <EditDialog
        edit={copy}
        onClose={onClose}
        newTitle=""
        editTitle={t('template.copy')}
        size={size}
        help="template"
      >
        {(id) => id !== null && <StoredTemplate key={id} {...place} templateId={id} isCopy />}
      </EditDialog>
    </>
  );
}

function NewTemplate({ viewId, ...place }: DialogProps & Pick<Props, 'viewId'>) {
  const { projectId } = place;
  const saved = { projectId, template: null, schedule: null, revision: undefined };
  const initial = { ...newValues, view_id: viewId };
  return <TemplateForm {...place} saved={saved} initial={initial} />;
}

interface StoredProps extends DialogProps {
  templateId: number;
  isCopy?: boolean;
}

function StoredTemplate({ templateId, isCopy = false, ...place }: StoredProps) {
  const params = { project_id: place.projectId, template_id: templateId };
  const opened = useEditableResource(templates.one, params);
  const schedules = useQuery({
    ...scheduleQueries.ofTemplate(place.projectId, templateId),
    staleTime: 0,
  });
  const { data, error } = schedules;
  // Schedules with a name are edited on the screen of schedules.
  const schedule = data?.find(({ name }) => name === '') ?? null;
  const all = {
    ...opened,
    resource: schedules.isFetchedAfterMount && data ? opened.resource : undefined,
    failure: opened.failure ?? (error && !data ? errorWords(error) : null),
    onRetry: () => {
      opened.onRetry();
      void schedules.refetch();
    },
  };
  return (
    <OpenedForm opened={all} fields={6}>
      {(base) =>
        isCopy ? (
          <TemplateCopy {...place} template={base.resource} />
        ) : (
          <ChangedTemplate {...place} base={base} schedule={schedule} />
        )
      }
    </OpenedForm>
  );
}

/** A copy gets no schedule, because the same would run twice. */
function TemplateCopy({ template, ...place }: DialogProps & { template: Template }) {
  const [initial] = useState(() => ({
    ...templateValues(template, null),
    name: t('template.copy_name', { name: template.name }).slice(0, 100),
  }));
  const { projectId } = place;
  const saved = { projectId, template: null, schedule: null, revision: undefined };
  return <TemplateForm {...place} saved={saved} initial={initial} />;
}

interface ChangedProps extends DialogProps {
  base: Base<Template>;
  schedule: Schedule | null;
}

function ChangedTemplate({ base, schedule, ...place }: ChangedProps) {
  // The template and its schedule when the form was opened.
  const [saved] = useState(() => ({
    projectId: place.projectId,
    template: base.resource,
    schedule,
    revision: base.revision,
  }));
  const initial = templateValues(base.resource, saved.schedule);
  return <TemplateForm {...place} saved={saved} initial={initial} onReload={base.onReload} />;
}

interface FormProps extends DialogProps {
  saved: Saved;
  initial: TemplateValues;
  onReload?: () => void;
}

/** Fields that the form requires and the schema does not: "None" must be chosen explicitly. */
const missingWords = (values: TemplateValues) =>
  Object.fromEntries([
    ...missingFormFields(templateBody(values)).map(([path, code]) => [path, fieldWords(code)]),
    ...Object.entries(askedFields)
      .filter(([name]) => values[name as keyof typeof askedFields] === null)
      .map(([name, words]) => [name, t(words)]),
  ]) as Record<string, string>;

function TemplateForm({ projectId, saved, initial, parts, onClose, onReload }: FormProps) {
  const save = useSaveTemplate(saved);
  const { form, frame } = useBodyForm({
    initial,
    schema: newTemplate,
    toBody: templateBody,
    inputPath,
    check: (values) => missingWords(values),
    submit: async (body, overwrite) => {
      await save(body, form.getValues().schedule, overwrite);
      const { name } = body;
      toast(saved.template ? t('template.saved', { name }) : t('template.created', { name }));
      onClose();
    },
  });
  const newResource = useNewResource(parts.renderNew);
  // A new key for each opening, which resets the form.
  const [editor, setEditor] = useState({ opened: false, index: null as number | null, number: 0 });
  const { survey_vars: variables } = form.getValues();
  const keep = (variable: SurveyVariable) => {
    if (editor.index === null) form.insertListItem('survey_vars', variable);
    else form.replaceListItem('survey_vars', editor.index, variable);
  };
  return (
    <>
      <Form
        {...frame}
        {...(onReload ? { onReload } : {})}
        action={saved.template ? t('common.save') : t('common.create')}
      >
        <TemplateFields
          {...parts}
          projectId={projectId}
          templateId={saved.template?.id ?? null}
          form={form}
          isNew={saved.template === null && initial.repository_id === null}
          onNew={newResource.onNew}
          onVariable={(index) =>
            setEditor(({ number }) => ({ opened: true, index, number: number + 1 }))
          }
        />
      </Form>
      {newResource.dialog}
      <SurveyVariableDialog
        key={editor.number}
        opened={editor.opened}
        variable={variables[editor.index ?? -1] ?? null}
        hasTarget
        taken={variables.filter((_, index) => index !== editor.index).map(({ name }) => name)}
        onSave={keep}
        onClose={() => setEditor((before) => ({ ...before, opened: false }))}
      />
    </>
  );
}
