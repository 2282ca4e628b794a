import { languageTag } from '../../../lib/i18n.ts';
import { span } from '../../../lib/time.ts';

/** A duration; below ten seconds with tenths, which distinguish short tasks. */
export function TimeSpan({ ms }: { ms: number }) {
  return <span className="numbers soft">{spanWords(ms)}</span>;
}

const preciseMs = 10_000;
const preciseFormat = new Intl.NumberFormat(languageTag, {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'short',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export function spanWords(ms: number): string {
  if (ms >= preciseMs) return span(Math.round(ms / 1000), languageTag);
  return preciseFormat.format(ms / 1000);
}
