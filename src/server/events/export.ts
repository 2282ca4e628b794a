import type { Event } from '#shared/api/events.ts';
import { csvLine } from '../lib/csv.ts';

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

export async function* asCsv(pages: AsyncIterable<Event[]>): AsyncGenerator<string> {
  yield csvLine([...columns]);
  for await (const events of pages) {
    yield events.map((event) => csvLine(columns.map((name) => event[name]))).join('');
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
