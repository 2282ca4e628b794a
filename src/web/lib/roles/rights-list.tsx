import type { Right } from '#shared/rights.ts';
import { t } from '../i18n.ts';
import { rightName } from './may.ts';

/** Rights with what each allows. */
export const RightsList = ({ rights }: { rights: readonly Right[] }) => (
  <dl className="column gap-8">
    {rights.map((right) => (
      <div key={right}>
        <dt>{rightName(right)}</dt>
        <dd className="soft smaller">{t(`rights.${right}.text`)}</dd>
      </div>
    ))}
  </dl>
);
