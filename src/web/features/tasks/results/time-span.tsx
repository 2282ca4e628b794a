import { languageTag } from '../../../lib/i18n.ts';
import { span } from '../../../lib/time.ts';

/** A duration; below ten seconds with tenths, which distinguish short tasks. */
export function TimeSpan({ ms }: { ms: number }) {
  return <span className="numbers soft">{spanWords(ms)}</span>;
}

const preciseMs = 10_000;

export function spanWords(ms: number): string {
  if (ms >= preciseMs) return span(Math.round(ms / 1000), languageTag);
  const format = { style: 'unit', unit: 'second', unitDisplay: 'short' } as const;
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(languageTag, { ...format, ...digits }).format(ms / 1000);
}
