// Events as a file: a JSON array, or a table for spreadsheets.

import type { Event } from '#shared/api/events.ts';

const columns = [
  'id',
  'created',
  'code',
  'description',
  'project_id',
  'project_name',
  'user_id',
  'username',
  'via',
  'via_id',
  'ip',
  'object_type',
  'object_id',
  'object_name',
] as const satisfies (keyof Event)[];

/** A cell of CSV, quoted if necessary, and written so that a spreadsheet does not read a name as a formula. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export async function* asCsv(pages: AsyncIterable<Event[]>): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  for await (const events of pages) {
    yield events
      .map((event) => `${columns.map((name) => cell(event[name])).join(',')}\r\n`)
      .join('');
  }
}

export async function* asJson(pages: AsyncIterable<Event[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const events of pages) {
    yield separator + events.map((event) => JSON.stringify(event)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
