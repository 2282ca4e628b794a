import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schedule } from '#shared/api/schedules.ts';
import { missingFormFields, newTemplate, type Template, templates } from '#shared/api/templates.ts';
import { errorWords, fieldWords } from '../../../lib/error-words.ts';
import { useBodyForm } from '../../../lib/form.ts';
import { t } from '../../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../../resources/use-editable-resource.ts';
import { type Edited, OpenedForm } from '../../../ui/forms/edit-dialog.tsx';
import { FormPage } from '../../../ui/forms/form-page.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { ListLinks } from '../list-links.tsx';
import { templateQueries } from '../templates.queries.ts';
import { scheduleQueries } from '../../schedules/schedules.queries.ts';
import { type Saved, useSaveTemplate } from './save-template.ts';
import { useNewResource } from './new-resource.tsx';
import type { TemplateParts } from './template-fields-props.ts';
import { TemplateSections } from './template-sections.tsx';
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
  /** The edited template; null for a copy. */
  edit: Edited;
  copy: number | null;
  viewId: number | null;
  listAddress: (viewId: number | null) => string;
  addressOf: (templateId: number) => string;
  parts: TemplateParts;
  onCancel: () => void;
  onSaved: () => void;
}

type FormParts = Pick<Props, 'projectId' | 'onSaved' | 'parts'> & { title: string };

/** The page on which a template is made, changed or copied. */
export function TemplateFormPage(props: Props) {
  const { projectId, edit, copy, viewId, parts, onSaved, onCancel } = props;
  const stored = typeof edit === 'number' ? edit : copy;
  const title = t(`template.${copy !== null ? 'copy' : stored === null ? 'new' : 'edit'}`);
  const form = { projectId, parts, onSaved, title };
  return (
    <FormPage title={title} above={<LinksAbove {...props} />} help="template" onCancel={onCancel}>
      {stored === null ? (
        <NewTemplate {...form} viewId={viewId} />
      ) : (
        <StoredTemplate key={stored} {...form} templateId={stored} isCopy={copy !== null} />
      )}
    </FormPage>
  );
}

function LinksAbove({ edit, copy, addressOf, ...list }: Props) {
  const { data } = useQuery(templateQueries.list(list.projectId));
  const template = data?.find(({ id }) => id === edit || id === copy);
  return (
    <>
      <ListLinks {...list} />
      {template && (
        <>
          <span className="soft" aria-hidden="true">
            {' › '}
          </span>
          <Link to={addressOf(template.id)}>{template.name}</Link>
        </>
      )}
    </>
  );
}

function NewTemplate({ viewId, ...place }: FormParts & Pick<Props, 'viewId'>) {
  const { projectId } = place;
  const saved = { projectId, template: null, schedule: null, revision: undefined };
  const initial = { ...newValues, view_id: viewId };
  return <TemplateForm {...place} saved={saved} initial={initial} />;
}

interface StoredProps extends FormParts {
  templateId: number;
  isCopy: boolean;
}

function StoredTemplate({ templateId, isCopy, ...place }: StoredProps) {
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
function TemplateCopy({ template, ...place }: FormParts & { template: Template }) {
  const [initial] = useState(() => ({
    ...templateValues(template, null),
    name: t('template.copy_name', { name: template.name }).slice(0, 100),
  }));
  const { projectId } = place;
  const saved = { projectId, template: null, schedule: null, revision: undefined };
  return <TemplateForm {...place} saved={saved} initial={initial} />;
}

interface ChangedProps extends FormParts {
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

interface FormProps extends FormParts {
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

function TemplateForm({ projectId, title, saved, initial, parts, onSaved, onReload }: FormProps) {
  const save = useSaveTemplate(saved);
  const { form, frame } = useBodyForm({
    initial,
    schema: newTemplate,
    toBody: templateBody,
    inputPath,
    check: (values) => missingWords(values),
    submit: async (body, overwrite) => {
      const { schedule } = form.getValues();
      await save(body, parts.may('schedule.edit') ? schedule : null, overwrite);
      const { name } = body;
      toast(saved.template ? t('template.saved', { name }) : t('template.created', { name }));
      onSaved();
    },
  });
  const newResource = useNewResource(parts.renderNew);
  return (
    <>
      <Form
        {...frame}
        {...(onReload ? { onReload } : {})}
        label={title}
        action={saved.template ? t('common.save') : t('common.create')}
      >
        <TemplateSections
          {...parts}
          projectId={projectId}
          templateId={saved.template?.id ?? null}
          form={form}
          isNew={saved.template === null && initial.repository_id === null}
          onNew={newResource.onNew}
        />
      </Form>
      {newResource.dialog}
    </>
  );
}
