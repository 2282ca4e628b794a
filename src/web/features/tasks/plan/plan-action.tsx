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
import { languageTag, t } from '../../../lib/i18n.ts';
import filterClasses from '../filter-buttons.module.css';

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

const destroys = 'color-danger weight-650';
const colors: Partial<Record<PlanAction, string>> = {
  delete: destroys,
  drift_delete: destroys,
  replace: destroys,
  create: 'color-success',
  forget_create: 'color-success',
  update: 'color-warning',
  drift_update: 'color-warning',
};

/** An action with its icon; destructive ones stand out by weight and colour. */
export function ActionName({ action }: { action: PlanAction }) {
  const Icon = icons[action];
  return (
    <span
      className={`inline-flex items-center gap-6 flex-none small nowrap ${colors[action] ?? ''}`}
      style={{ verticalAlign: 'middle' }}
    >
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

/** Filters the changes by their action. */
export function ActionFilter({ changes, value, onChange }: FilterProps) {
  const number = new Intl.NumberFormat(languageTag);
  const counts = new Map<PlanAction, number>();
  for (const { action } of changes) counts.set(action, (counts.get(action) ?? 0) + 1);
  return (
    <fieldset className={`flex wrap gap-6 scroll-row ${filterClasses.filter}`}>
      <legend className="visually-hidden">{t('run.filter')}</legend>
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
