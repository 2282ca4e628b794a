// The form of a thing: makes a new one, or changes the one that it is based on.

import { type Options as BodyForm, useBodyForm } from './form.ts';
import { useTranslation } from './i18n.ts';
import type { Base } from './use-opened.ts';

interface Options<Thing, Values, Body> extends Omit<BodyForm<Values, Body>, 'submit'> {
  /** Null: a new one. */
  base: Base<Thing> | null;
  /** Answers the thing as it goes by. */
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
