import {
  IconArrowMoveRight,
  IconCalendarClock,
  IconCloudOff,
  IconCloudQuestion,
  IconCopyPlus,
  IconDownload,
  IconEye,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconQuestionMark,
  IconReplace,
  IconTrash,
  IconUnlink,
} from '@tabler/icons-react';
import { type PlanAction, type PlanChange, planActions } from '#shared/api/task-plan.ts';
import { languageTag, useTranslation } from '../../../lib/i18n.ts';
import classes from './plan-action.module.css';

const icons = {
  delete: IconTrash,
  drift_delete: IconCloudOff,
  replace: IconReplace,
  forget_create: IconCopyPlus,
  create: IconPlus,
  update: IconPencil,
  drift_update: IconCloudQuestion,
  invoke: IconPlayerPlay,
  read: IconEye,
  forget: IconUnlink,
  import: IconDownload,
  move: IconArrowMoveRight,
  defer: IconCalendarClock,
  other: IconQuestionMark,
} satisfies Record<PlanAction, unknown>;

/** An action with its icon; what destroys something stands out by weight and colour. */
export function ActionName({ action }: { action: PlanAction }) {
  const { t } = useTranslation();
  const Icon = icons[action];
  return (
    <span className={classes.action} data-action={action}>
      <Icon size={15} aria-hidden="true" />
      {t(`plan.actions.${action}`)}
    </span>
  );
}

interface FilterProps {
  changes: PlanChange[];
  value: PlanAction | null;
  onChange: (action: PlanAction | null) => void;
}

/** Buttons with the number of each action that show only these. */
export function ActionFilter({ changes, value, onChange }: FilterProps) {
  const { t } = useTranslation();
  const number = new Intl.NumberFormat(languageTag);
  const counts = new Map<PlanAction, number>();
  for (const { action } of changes) counts.set(action, (counts.get(action) ?? 0) + 1);
  return (
    <fieldset className={classes.filter}>
      <legend>{t('run.filter')}</legend>
      <button type="button" aria-pressed={value === null} onClick={() => onChange(null)}>
        {t('run.all')} <b>{number.format(changes.length)}</b>
      </button>
      {planActions
        .filter((action) => counts.has(action))
        .map((action) => (
          <button
            key={action}
            type="button"
            aria-pressed={value === action}
            onClick={() => onChange(value === action ? null : action)}
          >
            <ActionName action={action} /> <b>{number.format(counts.get(action) ?? 0)}</b>
          </button>
        ))}
    </fieldset>
  );
}
