// Schemas for the parts of a backup as they arrive, in which every field is optional.

import { z } from 'zod';
import { backup, backupSections, type Backup, type BackupSection } from '#shared/api/backups.ts';
import { lazy } from '../../node/async/state-of.ts';
import type { BackupPath } from './problems.ts';

type DeepPartial<T> = T extends (infer One)[]
  ? DeepPartial<One>[]
  : T extends object
    ? { [Field in keyof T]?: DeepPartial<NonNullable<T[Field]>> | undefined }
    : T;

/** The resources of a section; a template of an older backup may contain its schedule. */
export type GivenIn<S extends BackupSection> = DeepPartial<Backup[S][number]> & { cron?: string };

/** A thing of a backup, and its place there. */
export interface Item<S extends BackupSection> extends BackupPath {
  given: GivenIn<S>;
}

export type Items = { [S in BackupSection]: Item<S>[] };

/** The same schema with optional fields only; with `isStrict`, unknown fields are refused. */
function loosened(schema: z.ZodType, isStrict: boolean): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(
      ([name, field]) => [name, loosened(field, isStrict).nullish()] as const,
    );
    const shape = Object.fromEntries(fields);
    return isStrict ? z.strictObject(shape) : z.object(shape);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return loosenedUnion(schema, isStrict);
  if (schema instanceof z.ZodArray) return z.array(loosened(schema.element as z.ZodType, isStrict));
  if (schema instanceof z.ZodNullable) return loosened(schema.unwrap() as z.ZodType, isStrict);
  return schema;
}

/** What tells the kind of a value stays required. */
function loosenedUnion(
  { options, def: { discriminator } }: z.ZodDiscriminatedUnion,
  isStrict: boolean,
): z.ZodType {
  const loose = (options as z.ZodObject[]).map((option) =>
    (loosened(option, isStrict) as z.ZodObject).extend({
      [discriminator]: option.shape[discriminator],
    }),
  );
  return z.discriminatedUnion(discriminator, loose as [z.ZodObject, ...z.ZodObject[]]);
}

export interface Reader {
  /** Reads the known fields and skips others. */
  schema: z.ZodType;
  /** Finds unknown fields. */
  strict: z.ZodType;
}

const { shape } = backup;

const own = (section: BackupSection | 'meta') =>
  section === 'meta' ? shape.meta : shape[section].element;

const ofOlder = (section: BackupSection | 'meta', isStrict: boolean): z.ZodType => {
  const loose = loosened(own(section), isStrict) as z.ZodObject;
  if (section === 'templates') return loose.extend({ cron: z.string().nullish() });
  // Workflows of other products have nothing in common with ours.
  return startsRuns(section) ? loose.omit({ workflow: true }) : loose;
};

/** Whether the section has what starts runs. */
export const startsRuns = (section: BackupSection | 'meta'): boolean =>
  section === 'schedules' || section === 'integrations';

/** How a part of a backup is read: of our own backups, or of the older API. Making one takes milliseconds. */
export function readerOf(section: BackupSection | 'meta', isOurs: boolean): Reader {
  return (isOurs ? ownReaders : olderReaders)[section]();
}

const readersOf = (isOurs: boolean) =>
  Object.fromEntries(
    [...backupSections, 'meta' as const].map((section) => [
      section,
      lazy(() => makeReader(section, isOurs)),
    ]),
  ) as Record<BackupSection | 'meta', () => Reader>;

const ownReaders = readersOf(true);
const olderReaders = readersOf(false);

const makeReader = (section: BackupSection | 'meta', isOurs: boolean): Reader =>
  isOurs
    ? { schema: loosened(own(section), false), strict: loosened(own(section), true) }
    : { schema: ofOlder(section, false), strict: ofOlder(section, true) };

/** Null means the same as a missing field. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(present.map(([name, inner]) => [name, withoutNulls(inner)]));
}
