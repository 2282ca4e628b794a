// Reads a whole backup before anything is written: its resources, their references, and the order in
// which they can be created. All errors are collected with their place in the document.

import type { z } from 'zod';
import {
  backupSections,
  type BackupSection,
  type Restored,
  type RestoreDocument,
} from '#shared/api/backups.ts';
import { aliasText } from '#shared/api/integrations.ts';
import { newProject, type NewProject } from '#shared/api/projects.ts';
import { findingsOf } from '#shared/field-errors.ts';
import {
  readerOf,
  withoutNulls,
  type GivenIn,
  type Item,
  type Items,
  type Reader,
} from './given.ts';
import { schemas, toInput, type Look } from './inputs.ts';
import { fillOlder } from './older-backup.ts';
import { orderTemplates } from './order-templates.ts';
import { Problems, type Place } from './problems.ts';

export interface Plan {
  project: NewProject;
  items: Items;
  /** The random parts of the addresses of the project. */
  aliases: string[];
  notes: Restored['notes'];
}

/** Makes the plan for a restore, or refuses the backup with all its errors. */
export function planRestore(document: RestoreDocument): Plan {
  const problems = new Problems();
  const isOurs = document.format === 'signalbox';
  if (isOurs) checkTop(document, problems);
  const project = readProject(document.meta, isOurs, problems);
  const items = readItems(document, isOurs, problems);
  const notes = isOurs ? [] : fillOlder(items);
  const names = indexNames(document, items, problems);
  for (const section of backupSections) {
    checkRules(section, items[section], { names, problems });
  }
  items.templates = orderTemplates(items.templates, problems);
  const aliases = readAliases(document.integration_aliases ?? [], problems);
  problems.refuse();
  return { project: newProject.parse(project), items, aliases, notes };
}

// Clients of the older API add `project_id` to every file.
const top = new Set<string>([
  ...backupSections,
  'format',
  'version',
  'meta',
  'integration_aliases',
  'project_id',
]);

function checkTop(document: RestoreDocument, problems: Problems): void {
  if (document.version == null) problems.add('version', 'field.required');
  for (const name of Object.keys(document)) {
    if (!top.has(name)) problems.add(name, 'field.unknown');
  }
}

function readProject(meta: unknown, isOurs: boolean, problems: Problems): unknown {
  const part = readPart(meta, { path: 'meta', reader: readerOf('meta', isOurs) }, problems);
  if (part) problems.addRefusals(part, findingsOf(newProject, part.given));
  return part?.given;
}

/** The value at a place, without nulls and values of the wrong type; null when there is none. */
function readPart(
  value: unknown,
  { path, reader: { schema, strict } }: { path: string; reader: Reader },
  problems: Problems,
): (Place & { given: object }) | null {
  // A missing value is undefined for the schema, not null.
  const findings = findingsOf(schema, value ?? undefined);
  const unknown = strict ? findingsOf(strict, value ?? undefined) : [];
  problems.addFindings(path, findings);
  problems.addFindings(
    path,
    unknown.filter(({ code }) => code === 'field.unknown'),
  );
  const wrong = new Set(findings.map((finding) => finding.path.split('.')[0] ?? ''));
  if (wrong.has('')) return null;
  const right = Object.entries(value as object).filter(([name]) => !wrong.has(name));
  const given = withoutNulls(schema.parse(Object.fromEntries(right))) as object;
  return { path, wrong, given };
}

function readItems(document: RestoreDocument, isOurs: boolean, problems: Problems): Items {
  const read = <S extends BackupSection>(section: S): Item<S>[] => {
    const reader = readerOf(section, isOurs);
    return (document[section] ?? []).flatMap((value, index) => {
      const path = `${section}.${index}`;
      const part = readPart(value, { path, reader }, problems);
      return part ? [{ ...part, given: part.given as GivenIn<S> }] : [];
    });
  };
  return {
    keys: read('keys'),
    environments: read('environments'),
    repositories: read('repositories'),
    inventories: read('inventories'),
    views: read('views'),
    templates: read('templates'),
    schedules: read('schedules'),
    integrations: read('integrations'),
    alert_channels: read('alert_channels'),
  };
}

const nameField = (section: BackupSection): 'title' | 'name' =>
  section === 'views' ? 'title' : 'name';

/** The name of a resource; null when it has none. */
export function nameOf(section: BackupSection, value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const name = Object.hasOwn(value, nameField(section))
    ? (value as Record<string, unknown>)[nameField(section)]
    : null;
  return typeof name === 'string' ? name.trim() : null;
}

type Names = Record<BackupSection, Set<string>>;

/** The names in the document, also of resources with other errors. */
function indexNames(document: RestoreDocument, items: Items, problems: Problems): Names {
  const names = Object.fromEntries(
    backupSections.map((section) => [section, new Set<string>()]),
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
  // Environments that older-backup.ts has added.
  for (const { given } of items.environments) names.environments.add(given.name?.trim() ?? '');
  return names;
}

/** Checks each resource of a section against the rules for new ones. */
function checkRules(
  section: BackupSection,
  items: Item<BackupSection>[],
  { names, problems }: { names: Names; problems: Problems },
): void {
  const schema: z.ZodType = schemas[section];
  const convert = toInput[section] as (given: object, look: Look) => object;
  for (const item of items) {
    const { path, isOneField = false, given } = item;
    const look: Look = (of, name, at) => {
      if (name === undefined) return undefined;
      if (!names[of].has(name.trim())) {
        const place = isOneField ? path : `${path}.${at}`;
        problems.add(place, 'restore.unknown_reference', { section: of, name });
      }
      // The check needs any valid id in place of a name.
      return 1;
    };
    const findings = findingsOf(schema, withoutUndefined(convert(given, look)));
    problems.addRefusals(item, findings);
  }
}

/** The value as JSON would carry it. */
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
