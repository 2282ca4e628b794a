// The form of a thing, which makes a new thing or changes the one that it was opened for.

import { type Options as BodyForm, useBodyForm } from './form.ts';
import { useTranslation } from './i18n.ts';
import type { Base } from './use-opened.ts';

interface Options<Thing, Values, Body> extends Omit<BodyForm<Values, Body>, 'submit'> {
  /** The thing that the form changes; null: it makes a new one. */
  base: Base<Thing> | null;
  /** Makes the thing and answers the name under which it was saved. */
  create: (body: Body) => Promise<{ name: string }>;
  update: (body: Body, thing: Thing, ifMatch: string | undefined) => Promise<unknown>;
  onSaved: (name: string) => void;
}

export function useThingForm<
  Thing,
  Values extends Record<string, unknown>,
  Body extends { name?: string | null | undefined },
>({ base, create, update, onSaved, ...options }: Options<Thing, Values, Body>) {
  const { t } = useTranslation();
  const { form, frame } = useBodyForm({
    ...options,
    submit: async (body: Body, overwrite) => {
      if (base === null) return onSaved((await create(body)).name);
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
