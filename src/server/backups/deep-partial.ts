// Schemas of backup resources in which every field is optional.

import { z } from 'zod';
import { backup, backupSections, type Backup, type BackupSection } from '#shared/api/backups.ts';
import { lazy } from '../../node/async/state-of.ts';
import type { BackupPath } from './problems.ts';

type DeepPartial<T> = T extends (infer One)[]
  ? DeepPartial<One>[]
  : T extends object
    ? { [Field in keyof T]?: DeepPartial<NonNullable<T[Field]>> | undefined }
    : T;

/** A template of an older backup may contain its schedule. */
export type GivenIn<S extends BackupSection> = DeepPartial<Backup[S][number]> & { cron?: string };

/** A resource of a backup with its path. */
export interface Item<S extends BackupSection> extends BackupPath {
  given: GivenIn<S>;
}

export type Items = { [S in BackupSection]: Item<S>[] };

/** Makes all fields optional; with `isStrict`, unknown fields are refused. */
function toPartial(schema: z.ZodType, isStrict: boolean): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(
      ([name, field]) => [name, toPartial(field, isStrict).nullish()] as const,
    );
    const shape = Object.fromEntries(fields);
    return isStrict ? z.strictObject(shape) : z.object(shape);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return toPartialUnion(schema, isStrict);
  if (schema instanceof z.ZodArray)
    return z.array(toPartial(schema.element as z.ZodType, isStrict));
  if (schema instanceof z.ZodNullable) return toPartial(schema.unwrap() as z.ZodType, isStrict);
  return schema;
}

/** The discriminator stays required. */
function toPartialUnion(
  { options, def: { discriminator } }: z.ZodDiscriminatedUnion,
  isStrict: boolean,
): z.ZodType {
  const loose = (options as z.ZodObject[]).map((option) =>
    (toPartial(option, isStrict) as z.ZodObject).extend({
      [discriminator]: option.shape[discriminator],
    }),
  );
  return z.discriminatedUnion(discriminator, loose as [z.ZodObject, ...z.ZodObject[]]);
}

export interface Reader {
  /** Skips unknown fields. */
  schema: z.ZodType;
  /** Reports unknown fields. */
  strict: z.ZodType;
}

const { shape } = backup;

const own = (section: BackupSection | 'meta') =>
  section === 'meta' ? shape.meta : shape[section].element;

const ofOlder = (section: BackupSection | 'meta', isStrict: boolean): z.ZodType => {
  const loose = toPartial(own(section), isStrict) as z.ZodObject;
  if (section === 'templates') return loose.extend({ cron: z.string().nullish() });
  // Workflows of other products are not compatible.
  return startsRuns(section) ? loose.omit({ workflow: true }) : loose;
};

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
    ? { schema: toPartial(own(section), false), strict: toPartial(own(section), true) }
    : { schema: ofOlder(section, false), strict: ofOlder(section, true) };

export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(present.map(([name, inner]) => [name, withoutNulls(inner)]));
}
