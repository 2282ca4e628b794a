// The masked texts of a result, without characters that cannot be stored.

import type { RunResult } from '#shared/api/run-results.ts';
import type { Mask, PartMask } from '../log/mask.ts';
import type { ResultEvent, ReportedItem, ReportedText } from './events.ts';
import { relative } from 'node:path';
import type { TaskSection } from '#shared/api/runner-api.ts';
import type { RunLines } from './spool-lines.ts';
import type { RunSection } from './run-sections.ts';

export interface RunMasks {
  mask: Mask;
  /** Masks a text whose end was cut off. */
  maskPart: PartMask;
  /** Masks a text whose beginning was cut off. */
  maskTail: PartMask;
}

const MAX_NAME_LENGTH = 250;

// oxlint-disable-next-line no-control-regex -- control characters are what is replaced
const controls = /[\u0000-\u001f]/g;

/** The masked name of a host, a task or a file, in one line. */
export const plainName = (mask: Mask, name: string): string =>
  mask(name.toWellFormed()).replaceAll(controls, '\uFFFD').slice(0, MAX_NAME_LENGTH).toWellFormed();

const plainText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Masks a text of which the callback keeps the beginning. */
export function beginOf({ mask, maskPart }: RunMasks, text: ReportedText): string {
  return typeof text === 'string' ? mask(plainText(text)) : maskPart(plainText(text.cut));
}

function end({ mask, maskTail }: RunMasks, text: ReportedText): string {
  return typeof text === 'string' ? mask(plainText(text)) : maskTail(plainText(text.cut));
}

type ReportedContent = Omit<ReportedItem, 'item'>;

const shownContent = (masks: RunMasks, content: ReportedContent) => ({
  state: content.state,
  message: beginOf(masks, content.message),
  output: end(masks, content.output),
  error_output: end(masks, content.error_output),
  exit_code: content.exit_code,
  diffs: content.diffs.map(({ name, text }) => ({
    name: beginOf(masks, name),
    text: beginOf(masks, text),
  })),
});

type ShownResult = Omit<RunResult, 'id' | 'section' | 'line'>;

export const timeOf = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

/** `host` is masked already. */
export function shownResult(masks: RunMasks, host: string, event: ResultEvent): ShownResult {
  const { begin: began, ms, changed, delegated_to: delegate, tries, items } = event;
  return {
    host,
    begin: timeOf(began),
    duration_ms: ms,
    ...shownContent(masks, event),
    changed: changed || event.state === 'changed',
    delegated_to: delegate === null ? null : plainName(masks.mask, delegate),
    tries,
    items,
    shown_items: event.shown_items.map((one) => ({
      item: beginOf(masks, one.item),
      ...shownContent(masks, one),
    })),
    is_hidden: event.is_hidden,
    is_cut: event.is_cut || hasCut(event) || event.shown_items.some(hasItemCut),
  };
}

const isCut = (text: ReportedText): boolean => typeof text !== 'string';

const hasCut = ({ message, output, error_output: errors, diffs }: ReportedContent): boolean =>
  [message, output, errors].some(isCut) ||
  diffs.some(({ name, text }) => isCut(name) || isCut(text));

const hasItemCut = (one: ReportedItem): boolean => isCut(one.item) || hasCut(one);

export const withoutTexts = (result: ShownResult): ShownResult => ({
  ...result,
  message: '',
  output: '',
  error_output: '',
  diffs: [],
  shown_items: [],
  is_cut: true,
});

// Plays and tasks as they are reported, masked.

export interface PlacedRun extends Pick<RunMasks, 'mask'> {
  /** The real path of the repository's files. */
  checkout: string;
}

/** Where a task is defined in the repository, masked. */
export function sourceIn(section: RunSection | null, { mask, checkout }: PlacedRun) {
  const { module = '', role = '', path = '', fileLine = null } = section ?? {};
  const inside = path === '' ? '..' : relative(checkout, path);
  const isInside = inside !== '..' && !inside.startsWith('../');
  return {
    module: plainName(mask, module),
    role: plainName(mask, role),
    path: isInside ? plainName(mask, inside) : null,
    file_line: isInside ? fileLine : null,
  };
}

export async function shownSections(
  sections: RunSection[],
  run: PlacedRun,
  lines: RunLines,
): Promise<TaskSection[]> {
  const all: TaskSection[] = [];
  for (const section of sections) {
    const line = await lines.ofSection(section);
    const { place: _place, path: _path, fileLine: _line, beginMs, endMs, ...rest } = section;
    const name = plainName(run.mask, section.name);
    const times = { begin: timeOf(beginMs), end: timeOf(endMs) };
    all.push({ ...rest, ...sourceIn(section, run), ...times, name, line });
  }
  return all;
}
