// Reports an upgrade of the database as an event, and as text for the command line.

import { basename } from 'node:path';
import { version } from '../../../node/process/version.ts';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';
import type { Upgrade } from './upgrade.ts';

export async function recordUpgrade(ctx: Context, { runs, copy }: Upgrade): Promise<void> {
  const event = {
    projectId: null,
    object: { type: 'installation', id: null, name: version },
  } as const;
  const params = { amount: runs.length };
  if (copy === null) {
    await record(ctx, { ...event, code: 'installation.upgraded_without_copy', params });
  } else {
    const file = basename(copy.file);
    await record(ctx, {
      ...event,
      code: 'installation.upgraded',
      params: { ...params, copy: file },
    });
  }
}

export function wordsOf({ from, runs, copy }: Upgrade): string[] {
  const size = copy && `${(copy.bytes / 1e6).toFixed(1)} MB in ${copy.seconds.toFixed(1)} s`;
  return [
    copy ? `Copy of the database from before: ${copy.file} (${size}).` : 'No copy was made before.',
    `The database had the form ${from}. Migrations since then:`,
    ...runs.map(({ name, ms }) => `  ${name}: ${ms} ms`),
  ];
}
