// Forms that are validated by the schemas of the contract, and show the server's field errors at
// their inputs.

import { type FormErrors, useForm } from '@mantine/form';
import { useState } from 'react';
import type { z } from 'zod';
import { findingsOf } from '#shared/field-errors.ts';
import { ApiError } from './api.ts';
import { errorWords, fieldWords, requestIdOf } from './error-words.ts';

/** Validates the values: returns the message of each error by the path of its field. */
export function validateWith(
  schema: z.ZodType,
  values: unknown,
  inputPath = (path: string) => path,
): FormErrors {
  const errors: FormErrors = {};
  for (const { path, code, params } of findingsOf(schema, values)) {
    errors[inputPath(path)] ??= fieldWords(code, params);
  }
  return errors;
}

/** The server's field errors: messages by path. */
export function fieldErrorsOf(error: unknown, inputPath = (path: string) => path): FormErrors {
  const fields = error instanceof ApiError ? (error.body.fields ?? []) : [];
  return Object.fromEntries(
    fields.map(({ path, code, params, message }) => [
      inputPath(path),
      fieldWords(code, params, message),
    ]),
  );
}

/** Errors of several fields are not at an input, so the position in the page decides. */
const byPosition = (one: Node, other: Node): number =>
  one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;

export interface Options<Values, Body> {
  initial: Values;
  /** Validates the body before it is sent; absent: only the server does. */
  schema?: z.ZodType;
  /** Makes the body of the request from the values of the inputs; `schema` validates it. */
  toBody: (values: Values) => Body;
  /** Rules that the schema does not have. */
  check?: (values: Values) => FormErrors;
  /** Maps the contract's path of a field to the path of its input, where they differ. */
  inputPath?: (path: string) => string;
  /** `overwrite`: saves although the resource has changed since it was read. */
  submit: (body: Body, overwrite: boolean) => Promise<unknown>;
}

export type FormFrame = ReturnType<typeof useBodyForm>['frame'];

/**
 * Validates on submit only: a message that appears on blur would move the button from under
 * the pointer. The topmost wrong field gets the focus.
 */
export function useBodyForm<Values extends Record<string, unknown>, Body>(
  options: Options<Values, Body>,
) {
  const [failure, setFailure] = useState<unknown>(null);
  const [saving, setSaving] = useState(false);
  const form = useForm<Values>({
    initialValues: options.initial,
    validateInputOnChange: false,
    validate: (values) => ({
      ...(options.schema &&
        validateWith(options.schema, options.toBody(values), options.inputPath)),
      ...options.check?.(values),
    }),
  });

  const focusFirst = (errors: FormErrors) => {
    const inputs = Object.keys(errors).map((path) => form.getInputNode(path));
    const [first] = inputs.filter((input) => input !== null).toSorted(byPosition);
    first?.focus();
  };

  const save = async (values: Values, overwrite = false): Promise<void> => {
    setSaving(true);
    setFailure(null);
    try {
      await options.submit(options.toBody(values), overwrite);
    } catch (error) {
      const errors = fieldErrorsOf(error, options.inputPath);
      form.setErrors(errors);
      focusFirst(errors);
      setFailure(error);
    } finally {
      setSaving(false);
    }
  };
  // After a change of all refused fields, the failure is no longer shown.
  const isCorrected =
    Object.keys(fieldErrorsOf(failure, options.inputPath)).length > 0 &&
    Object.keys(form.errors).length === 0;
  const submit = form.onSubmit((values) => {
    if (!saving) void save(values);
  }, focusFirst);
  /** The props for `ui/forms/form.tsx`. */
  const frame = {
    onSubmit: submit,
    saving,
    message: failure === null || isCorrected ? null : errorWords(failure),
    requestId: requestIdOf(failure),
    isStale: failure instanceof ApiError && failure.body.code === 'request.stale',
    onOverwrite: () => void save(form.getValues(), true),
    isDirty: () => form.isDirty(),
    changeQuietly: (change: () => void) => {
      const isTouched = form.isDirty();
      change();
      if (!isTouched) form.resetDirty();
    },
  };
  return { form, failure, saving, submit, frame };
}
