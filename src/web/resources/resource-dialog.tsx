// The dialog that makes or changes a row of a resource.

import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { z } from 'zod';
import type { ReplyOf } from '#shared/api/endpoint.ts';
import { type FormFrame, useBodyForm } from '../lib/form.ts';
import { t } from '../lib/i18n.ts';
import type { HelpTopic } from '../ui/dialogs/help-topics.ts';
import {
  EditDialog,
  type Edited,
  OpenedForm,
  type OpenedResource,
} from '../ui/forms/edit-dialog.tsx';
import { toast } from '../ui/feedback/toast.ts';
import { Form } from '../ui/forms/form.tsx';
import type { AnyWrite, Endpoints, NamedRow, Resource } from './resource.ts';
import { type Base, useEditableResource } from './use-editable-resource.ts';

interface DialogProps {
  edit: Edited;
  onClose: () => void;
  onMade?: (id: number) => void;
}

export type ResourceDialog<Scope> = ComponentType<Scope & DialogProps>;

export interface FieldsProps<Values, Row = unknown> {
  form: UseFormReturnType<Values>;
  /** The stored row; null for a new one. */
  stored: Row | null;
}

interface Definition<E extends Endpoints, Row, Scope, Values> {
  resource: Resource<E, Row, Scope>;
  help: HelpTopic;
  size?: number;
  fields?: number;
  /** The values of a stored row, or the initial values of a new one. */
  values: (row: ReplyOf<E['one']> | undefined, scope: Scope) => Values;
  toBody: (values: Values, scope: Scope, isNew: boolean) => z.input<E['create' | 'update']['body']>;
  /** Validates the body of a new row. */
  schema: z.ZodType;
  /** Validates the body of a change, if it differs. */
  changeSchema?: z.ZodType;
  /** Rules that the schemas do not have. */
  check?: (values: Values) => FormErrors;
  inputPath?: (path: string) => string;
  Fields: ComponentType<Scope & FieldsProps<Values, ReplyOf<E['one']>>>;
  /** Extends the submit of the form. */
  useFrame?: (scope: Scope, form: UseFormReturnType<Values>, frame: FormFrame) => FormFrame;
}

const sameFrame = (_scope: unknown, _form: unknown, frame: FormFrame) => frame;

export function defineResourceDialog<
  E extends Endpoints,
  Row,
  Scope extends object,
  Values extends Record<string, unknown>,
>(definition: Definition<E, Row, Scope, Values>): ResourceDialog<Scope> {
  const { resource, help, size, fields, schema, Fields, useFrame = sameFrame } = definition;
  const { noun } = resource;
  type Stored = ReplyOf<E['one']>;
  type Inner = Omit<DialogProps, 'edit'> & { scope: Scope };

  function Opened({ id, ...inner }: Inner & { id: number | null }) {
    const params = id === null ? null : resource.paramsOf(inner.scope, id);
    const opened = useEditableResource(resource.endpoints.one, params as never);
    return (
      <OpenedForm
        opened={opened as OpenedResource<Base<Stored> | null>}
        {...(fields === undefined ? {} : { fields })}
      >
        {(base: Base<Stored> | null) => <ResourceForm {...inner} base={base} />}
      </OpenedForm>
    );
  }

  function ResourceForm({ scope, base, onClose, onMade }: Inner & { base: Base<Stored> | null }) {
    const create = useMutation(resource.create() as unknown as AnyWrite);
    const update = useMutation(resource.update() as unknown as AnyWrite);
    const stored = base && (base.resource as Stored & NamedRow);
    const { check, inputPath } = definition;
    const { form, frame } = useBodyForm({
      initial: definition.values(stored ?? undefined, scope),
      schema: base ? (definition.changeSchema ?? schema) : schema,
      toBody: (values: Values) => definition.toBody(values, scope, base === null) as object,
      ...(check && { check }),
      ...(inputPath && { inputPath }),
      submit: async (body, overwrite) => {
        if (stored) {
          const params = resource.paramsOf(scope, stored.id);
          await update.mutateAsync({
            params,
            body,
            ifMatch: overwrite ? undefined : base.revision,
          });
          const name = resource.nameOf({ ...stored, ...body } as Row).trim();
          toast(t(`${noun}.saved`, { name }));
        } else {
          const made = await create.mutateAsync({ params: resource.params(scope), body });
          toast(t(`${noun}.created`, { name: resource.nameOf(made as Row) }));
          onMade?.((made as NamedRow).id);
        }
        onClose();
      },
    });
    return (
      <Form
        {...useFrame(scope, form, frame)}
        {...(base && { onReload: base.onReload })}
        action={t(base ? 'common.save' : 'common.create')}
      >
        <Fields {...scope} form={form} stored={stored} />
      </Form>
    );
  }

  return function ResourceDialog({ edit, onClose, onMade, ...scope }) {
    return (
      <EditDialog
        edit={edit}
        onClose={onClose}
        newTitle={t(`${noun}.new`)}
        editTitle={t(`${noun}.edit`)}
        help={help}
        {...(size === undefined ? {} : { size })}
      >
        {(id) => (
          <Opened
            key={id ?? 'new'}
            scope={scope as unknown as Scope}
            id={id}
            onClose={onClose}
            {...(onMade && { onMade })}
          />
        )}
      </EditDialog>
    );
  };
}
