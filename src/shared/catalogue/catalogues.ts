// All catalogues, by the group of their codes in the translations of the console (`src/web/locales`).

import { errors } from './errors.ts';
import { alertErrors } from './alert-errors.ts';
import { confirmationReasons } from './confirmation-reasons.ts';
import { deliveryReasons } from './delivery-reasons.ts';
import { fieldErrors } from './field-errors.ts';
import { recordedEvents } from './recorded-events.ts';
import { restoreNotes } from './restore-notes.ts';
import { taskFailures } from './task-failures.ts';

const catalogues = {
  errors,
  fields: fieldErrors,
  alert_errors: alertErrors,
  events: recordedEvents,
  restore_notes: restoreNotes,
  failures: taskFailures,
  confirmation_reasons: confirmationReasons,
  deliveries: deliveryReasons,
};
export type Catalogues = typeof catalogues;

/** For example `{ errors: { 'key.name_taken': 'There is …' } }`. */
export const englishTexts: Record<string, Record<string, string>> = Object.fromEntries(
  Object.entries(catalogues).map(([group, { codes, text }]) => [
    group,
    Object.fromEntries(codes.map((code) => [code, text(code as never)])),
  ]),
);
