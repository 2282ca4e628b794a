// The form that makes a new thing, or changes an existing one.

import { type Options as BodyForm, useBodyForm } from './form.ts';
import { useTranslation } from './i18n.ts';
import type { Base } from './use-editable-resource.ts';

interface Options<Resource, Values, Body> extends Omit<BodyForm<Values, Body>, 'submit'> {
  /** The thing that the form changes; null for a new one. */
  base: Base<Resource> | null;
  /** Makes the thing and returns the name under which it was saved. */
  create: (body: Body) => Promise<{ id?: number; name: string }>;
  update: (body: Body, resource: Resource, ifMatch: string | undefined) => Promise<unknown>;
  /** `id` is that of a new thing. */
  onSaved: (name: string, id?: number) => void;
}

export function useResourceForm<
  Resource,
  Values extends Record<string, unknown>,
  Body extends { name?: string | null | undefined },
>({ base, create, update, onSaved, ...options }: Options<Resource, Values, Body>) {
  const { t } = useTranslation();
  const { form, frame } = useBodyForm({
    ...options,
    submit: async (body: Body, overwrite) => {
      if (base === null) {
        const { name, id } = await create(body);
        return onSaved(name, id);
      }
      await update(body, base.thing, overwrite ? undefined : base.revision);
      return onSaved(body.name ?? '');
    },
  });
  const stored = base && { onReload: base.onReload };
  return {
    form,
    frame: { ...frame, ...stored, action: t(base ? 'common.save' : 'common.create') },
  };
}
