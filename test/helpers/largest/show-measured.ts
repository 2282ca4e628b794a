// The table of what was measured, and what of it exceeds the limits.

import type { Cost, Role } from './measured-server.ts';

export interface Measured extends Cost {
  endpoint: string;
  role: Role;
  what: string;
  bytes: number;
}

/** In milliseconds. */
const longestStall = 250;
/** In megabytes. */
const mostGrown = 200;

export const isDear = ({ stallMs, grownMb }: Cost): boolean =>
  stallMs > longestStall || grownMb > mostGrown;

/** `before`: the milliseconds of an earlier version by endpoint and what was sent; null: over a minute. */
export const shown = (all: Measured[], before: Record<string, number | null>): string =>
  all
    .map(({ endpoint, role, what, bytes, stallMs, grownMb, status }) =>
      [
        endpoint.padEnd(26),
        role.padEnd(14),
        what.padEnd(42),
        String(bytes).padStart(10),
        String(status).padStart(4),
        beforeOf(before[`${endpoint} ${what}`]).padStart(7),
        String(Math.round(stallMs)).padStart(6),
        String(Math.round(grownMb)).padStart(6),
      ].join(' '),
    )
    .join('\n');

const beforeOf = (known: number | null | undefined): string =>
  known === null ? '> 60 s' : String(known ?? '');

export const wrongOf = (all: Measured[]): string[] =>
  all
    .filter(isDear)
    .map(
      ({ endpoint, what, stallMs, grownMb }) =>
        `${endpoint}, ${what}: ${Math.round(stallMs)} ms, ${Math.round(grownMb)} MB`,
    );
