import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';
import { toLine } from './run-address.ts';

export function LineLink({ line }: { line: number }) {
  return (
    <Link to="." search={toLine(line)} resetScroll={false} className="numbers">
      {t('log.line', { number: line })}
    </Link>
  );
}
