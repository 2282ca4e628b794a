// Validates a whole backup before anything is written: resources, references, and the order of creation.
// All errors are collected with their paths. Yields between resources, since a document may be very large.

import type { z } from 'zod';
import { backupSections, type BackupSection, type RestoreDocument } from '#shared/api/backups.ts';
import { aliasText } from '#shared/api/integrations.ts';
import { newProject, type NewProject } from '#shared/api/projects.ts';
import type { FieldError } from '#shared/errors.ts';
import { findingsOf, type Finding } from '#shared/field-errors.ts';
import { failFields, fieldError } from '../lib/errors.ts';
import { findTimingError } from '../lib/cron.ts';
import { inPieces } from '../lib/pieces.ts';
import { settleApprovers } from './approvers.ts';
import { readerOf, startsRuns, withoutNulls, type Item, type Items } from './deep-partial.ts';
import {
  findChosen,
  schemas,
  toInput,
  type ChosenEnvironment,
  type FindId,
  type Referred,
} from './inputs.ts';
import { fillOlder, convertOlder, isEmpty, leftOut, note, type Note } from './older-forms.ts';
import { orderTemplates, orderWorkflows } from './restore-order.ts';
import { Problems, type BackupPath } from './problems.ts';

export interface Plan {
  project: NewProject;
  /** The default execution environment of the project. */
  chosen: ChosenEnvironment;
  items: Items;
  /** The random parts of the webhook addresses of the project. */
  aliases: string[];
  notes: Note[];
}

/** Refuses the backup with all its errors. `member`: the login of the restoring user. */
export const planRestore = (given: RestoreDocument, by: Restoring): Promise<Plan> =>
  inPieces(planning(given, by));

interface Restoring {
  now: Date;
  member: string;
  /** The names of the execution environments of the installation. */
  environments: string[];
}

function* planning(given: RestoreDocument, by: Restoring): Generator<void, Plan> {
  const { now, member, environments } = by;
  const problems = new Problems();
  const isOurs = given.format === 'signalbox';
  const notes: Note[] = [];
  const reading = { isOurs, problems, notes };
  yield* checkTop(given, reading);
  const document = isOurs ? given : { ...given, workflows: null };
  const project = readProject(document.meta, reading);
  const chosen = (project ?? {}) as ChosenEnvironment;
  const items = yield* readItems(document, reading);
  if (!isOurs) notes.push(...fillOlder(items));
  notes.push(...switchOffPassed(items, now));
  notes.push(...settleApprovers(items.workflows, member));
  const names = indexNames(document, items, problems);
  names.users.add(member);
  for (const name of environments) names.installation_environments.add(name);
  findChosen(chosen, idFinder({ path: 'meta', wrong: new Set() }, names, problems));
  for (const section of backupSections) {
    const usable = yield* checkRules(section, items[section], { ...reading, names });
    items[section] = usable as never;
  }
  items.templates = orderTemplates(items.templates, problems);
  items.workflows = orderWorkflows(items.workflows, problems);
  const aliases = readAliases(document.integration_aliases ?? [], problems);
  problems.refuse();
  return { project: newProject.parse(project), chosen, items, aliases, notes };
}

// Clients of the older API send `project_id`.
const top = new Set<string>([
  ...backupSections,
  'format',
  'version',
  'meta',
  'integration_aliases',
  'project_id',
]);

interface ReadingOf {
  isOurs: boolean;
  problems: Problems;
  notes: Note[];
}

function* checkTop(
  document: RestoreDocument,
  { isOurs, problems, notes }: ReadingOf,
): Generator<void, void> {
  if (isOurs && document.version == null) problems.add('version', 'field.required');
  for (const [name, value] of Object.entries(document)) {
    yield;
    // Workflows of other products are not compatible.
    if (top.has(name) && (isOurs || name !== 'workflows')) continue;
    if (isOurs) problems.add(name, 'field.unknown');
    else if (!isEmpty(value)) notes.push(leftOut(name));
  }
}

function readProject(meta: unknown, reading: ReadingOf): unknown {
  const part = readPart(meta, { path: 'meta', section: 'meta' }, reading);
  if (part) reading.problems.addRefusals(part, findingsOf(newProject, part.given));
  return part?.given;
}

interface PartPlace {
  path: string;
  section: BackupSection | 'meta';
}

/** Drops nulls and values of the wrong type; null when nothing is left. */
function readPart(
  raw: unknown,
  { path, section }: PartPlace,
  { isOurs, problems, notes }: ReadingOf,
): (BackupPath & { given: object }) | null {
  const { schema, strict } = readerOf(section, isOurs);
  const value = isOurs ? raw : convertOlder(section, raw, { path, notes });
  // For the schema, a missing value is undefined.
  const findings = findingsOf(schema, value ?? undefined);
  const [first] = findings;
  // Nothing depends on schedules and integrations, so invalid ones of the older API are dropped.
  if (first && !isOurs && startsRuns(section)) {
    const place = [path, first.path].filter(Boolean).join('.');
    notes.push(unusable(fieldError(place, first.code, first.params), value));
    return null;
  }
  problems.addFindings(path, findings);
  const unknown = findingsOf(strict, value ?? undefined).filter(
    ({ code }) => code === 'field.unknown',
  );
  if (isOurs) problems.addFindings(path, unknown);
  else notes.push(...notesOn(path, value, unknown));
  const wrong = new Set(findings.map((finding) => finding.path.split('.')[0] ?? ''));
  if (wrong.has('')) return null;
  const right = Object.entries(value as object).filter(([name]) => !wrong.has(name));
  const given = withoutNulls(schema.parse(Object.fromEntries(right))) as object;
  return { path, wrong, given };
}

/** Unknown fields without a value are not noted. */
function notesOn(place: string, value: unknown, unknown: Finding[]): Note[] {
  const filled = unknown.filter(({ path }) => !isEmpty(valueAt(value, path.split('.'))));
  return filled.map(({ path }) => leftOut(`${place}.${path}`));
}

function valueAt(value: unknown, names: string[]): unknown {
  return names.reduce((at, name) => (at as Record<string, unknown> | null)?.[name], value);
}

// Backups of real projects have fewer.
const MAX_NOTES = 5000;

/** Limits the size of the reply. */
function limitNotes({ notes }: ReadingOf): void {
  if (notes.length > MAX_NOTES) throw failFields(fieldError('', 'restore.too_much'));
}

function* readItems(document: RestoreDocument, reading: ReadingOf): Generator<void, Items> {
  const items = Object.fromEntries(
    backupSections.map((section) => [section, []]),
  ) as never as Items;
  for (const section of backupSections) {
    const list: Item<BackupSection>[] = [];
    for (const [index, value] of (document[section] ?? []).entries()) {
      yield;
      const part = readPart(value, { path: `${section}.${index}`, section }, reading);
      limitNotes(reading);
      if (part) list.push(part as Item<BackupSection>);
    }
    items[section] = list as never;
  }
  return items;
}

/** A one-time schedule of the past cannot be active. */
function switchOffPassed({ schedules }: Items, now: Date): Note[] {
  const passed = schedules.filter(
    ({ given: { type, run_at, active } }) =>
      active === true && type === 'run_at' && run_at && Date.parse(run_at) <= now.getTime(),
  );
  return passed.map(({ path, given }) => {
    given.active = false;
    return note(path, 'restored.time_passed', given.name || given.template);
  });
}

function nameField(section: BackupSection): 'title' | 'host' | 'name' {
  if (section === 'views') return 'title';
  return section === 'host_configs' ? 'host' : 'name';
}

/** Null when it has none. */
export function nameOf(section: BackupSection, value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const name = Object.hasOwn(value, nameField(section))
    ? (value as Record<string, unknown>)[nameField(section)]
    : null;
  if (typeof name !== 'string') return null;
  // Objects of several kinds may have the same name.
  const { object_type: type } = value as { object_type?: unknown };
  return section === 'restrictions' ? `${String(type)} ${name.trim()}` : name.trim();
}

type Names = Record<Referred, Set<string>>;

/** Includes resources with other errors. */
function indexNames(document: RestoreDocument, items: Items, problems: Problems): Names {
  const names = Object.fromEntries(
    [...backupSections, 'users', 'installation_environments'].map((section) => [
      section,
      new Set<string>(),
    ]),
  ) as Names;
  for (const section of backupSections) {
    for (const [index, value] of (document[section] ?? []).entries()) {
      const name = nameOf(section, value);
      if (name === null || name === '' || section === 'schedules') continue;
      if (names[section].has(name)) {
        const path = `${section}.${index}.${nameField(section)}`;
        problems.add(path, 'restore.name_repeated', { section, name });
      }
      names[section].add(name);
    }
  }
  // Added by older-backup.ts.
  for (const { given } of items.environments) names.environments.add(given.name?.trim() ?? '');
  return names;
}

/** The note about a resource that is dropped because of an error. */
const unusable = ({ path, ...error }: FieldError, value: unknown): Note => {
  const { name, template } = Object(value) as Record<string, unknown>;
  const texts = [name, template].filter((one) => typeof one === 'string' && one !== '');
  const { text, ...left } = note(path, 'restored.unusable', (texts as string[])[0] ?? '');
  return { ...left, text: `${text} ${path}: ${error.message}`, error };
};

/** Validates each resource of a section; returns the valid ones. */
function* checkRules(
  section: BackupSection,
  items: Item<BackupSection>[],
  { names, isOurs, problems: all, notes }: ReadingOf & { names: Names },
): Generator<void, Item<BackupSection>[]> {
  const usable: Item<BackupSection>[] = [];
  for (const item of items) {
    yield;
    const mayFail = !isOurs && startsRuns(section);
    const problems = mayFail ? new Problems() : all;
    checkItem(section, item, names, problems);
    if (mayFail && section === 'schedules') addTimingError(item as Item<'schedules'>, problems);
    const wrong = mayFail ? problems.first : null;
    if (wrong === null) usable.push(item);
    else notes.push(unusable(wrong, item.given));
  }
  return usable;
}

function checkItem(
  section: BackupSection,
  item: Item<BackupSection>,
  names: Names,
  problems: Problems,
): void {
  const schema: z.ZodType = schemas[section];
  const convert = toInput[section] as (given: object, findId: FindId) => object;
  const findId = idFinder(item, names, problems);
  const findings = findingsOf(schema, withoutUndefined(convert(item.given, findId)));
  problems.addRefusals(item, findings);
}

/** Reports names that are not in the backup, or not in the installation. */
function idFinder(
  { path, isOneField = false }: BackupPath,
  names: Names,
  problems: Problems,
): FindId {
  return (of, name, at) => {
    if (name === undefined) return undefined;
    if (!names[of].has(name.trim())) {
      const place = isOneField ? path : `${path}.${at}`;
      if (of === 'installation_environments') {
        problems.add(place, 'restore.installation_environment', { name });
      } else problems.add(place, 'restore.unknown_reference', { section: of, name });
    }
    // Any valid id, for the schema.
    return 1;
  };
}

function addTimingError(item: Item<'schedules'>, problems: Problems): void {
  const { type, cron_format, time_zone = 'UTC' } = item.given;
  if (type === 'run_at' || !cron_format) return;
  const error = findTimingError({ cron_format, time_zone });
  if (error) problems.addRefusals(item, [error]);
}

/** Normalises through JSON. */
export function withoutUndefined(input: object): unknown {
  return JSON.parse(JSON.stringify(input));
}

function readAliases(list: unknown[], problems: Problems): string[] {
  return list.flatMap((value, index) => {
    const findings = findingsOf(aliasText, value);
    problems.addFindings(`integration_aliases.${index}`, findings);
    return findings.length > 0 ? [] : [String(value)];
  });
}
