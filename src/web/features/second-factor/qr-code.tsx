import { encode } from 'uqr';
import { t } from '../../lib/i18n.ts';

/** A QR code, drawn in the browser, so that no other host receives the secret. */
export function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className="border rounded-8"
      style={{ width: 208, height: 208, background: 'var(--scan-paper)', fill: 'var(--scan-ink)' }}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn here, and an <img> would need an address
      role="img"
      aria-label={t('second_factor.picture')}
    >
      <path d={path} />
    </svg>
  );
}
