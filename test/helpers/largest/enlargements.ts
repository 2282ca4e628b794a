// Makes the samples of endpoints as large as they can be.

import { samples } from '../samples.ts';
import { fields, list } from './input.ts';
import type { Ids } from './measured-server.ts';

/** How a sample is enlarged: it is accepted then, or refused for what is wrong with it. */
export const enlargements: Record<
  string,
  (sample: object, size: { bytes: number; values: number }) => unknown
> = {
  'unknown keys': (sample, { bytes, values }) => {
    const count = Math.floor(Math.min(values - 2000, bytes / 10) / 3);
    return {
      ...sample,
      ...fields(count, 1),
      one: fields(count, {}),
      other: fields(count / 2, 'x'),
    };
  },
  'long lists': (sample, { bytes, values }) => {
    const count = Math.max(1, countLists(sample));
    return enlarged(sample, {
      onList: (items) => {
        const each = JSON.stringify(items[0] ?? null);
        const inside = each.split(/[,[{]/).length;
        const most = Math.min(
          values / 2 / count / inside,
          (bytes * 0.8) / count / (each.length + 1),
        );
        return list(Math.max(1, Math.floor(most)), () => items[0]);
      },
    });
  },
  letters: (sample, size) => withTexts(sample, size, 'x'),
  spaces: (sample, size) => withTexts(sample, size, ' '),
  'objects in texts': (sample, size) => withTexts(sample, size, '{"a":[1,2,"b"]}, '),
};

interface Enlarging {
  onList?: (items: unknown[]) => unknown[];
  onText?: (text: string) => string;
}

function enlarged(value: unknown, by: Enlarging): unknown {
  if (typeof value === 'string') return by.onText?.(value) ?? value;
  if (Array.isArray(value))
    return by.onList ? by.onList(value) : value.map((one) => enlarged(one, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, enlarged(one, by)]));
}

function withTexts(sample: object, { bytes }: { bytes: number }, piece: string): unknown {
  const count = Math.max(1, countTexts(sample));
  const encoded = JSON.stringify(piece).length - 2;
  const text = piece.repeat(Math.max(1, Math.floor((bytes * 0.9) / count / encoded)));
  return enlarged(sample, { onText: () => text });
}

function countTexts(value: unknown): number {
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((all: number, one) => all + countTexts(one), 0);
}

function countLists(value: unknown): number {
  if (Array.isArray(value)) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((all: number, one) => all + countLists(one), 0);
}

export const sampleOf = (name: string, ids: Ids): object => samples(ids)[name] ?? {};
