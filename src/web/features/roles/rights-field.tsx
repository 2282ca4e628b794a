import { Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { completeRights, type Right, rightNames } from '#shared/rights.ts';
import { t } from '../../lib/i18n.ts';
import { type May, rightName } from '../../lib/roles/may.ts';
import { groupsOf, type RightGroup } from './right-groups.ts';
import classes from './rights.module.css';

interface Props {
  value: Right[];
  onChange: (rights: Right[]) => void;
  /** The rights of the user, who gives no others. */
  may: May;
  error?: ReactNode;
}

export function RightsField({ value, onChange, may, error }: Props) {
  const [search, setSearch] = useState('');
  const id = useId();
  const groups = groupsOf((right) => matchesRight(right, search));
  const set = (rights: Right[], isOn: boolean) =>
    onChange(rightNames.filter((one) => (rights.includes(one) ? isOn : value.includes(one))));
  return (
    <section className="column gap-14" aria-labelledby={id}>
      <div>
        <h3 id={id} className="text-14 weight-600">
          {t('role.rights')}
        </h3>
        <p className="soft smaller numbers" aria-live="polite">
          {t('role.chosen', { number: completeRights(value).length, total: rightNames.length })}
        </p>
        {error && <p className="small color-danger">{error}</p>}
      </div>
      <TextInput
        type="search"
        aria-label={t('role.search')}
        placeholder={t('role.search')}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {groups.map((group) => (
        <Group key={group.group} {...group} value={value} may={may} onSet={set} />
      ))}
      {groups.length === 0 && <p className="soft">{t('common.nothing_found')}</p>}
    </section>
  );
}

function matchesRight(right: Right, search: string): boolean {
  const text = `${t(`rights.${right}.name`)} ${t(`rights.${right}.text`)}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface GroupProps extends Pick<Props, 'value' | 'may'> {
  group: RightGroup;
  rights: Right[];
  onSet: (rights: Right[], isOn: boolean) => void;
}

function Group({ group, rights, value, may, onSet }: GroupProps) {
  const title = t(`role.group.${group}`);
  const whole = completeRights(value);
  const chosen = rights.filter((right) => whole.includes(right));
  const own = rights.filter((right) => may(right));
  return (
    <fieldset className={`column gap-10 border-top ${classes.group}`}>
      <legend>{title}</legend>
      <Checkbox
        label={t('role.all')}
        aria-label={t('role.all_label', { group: title })}
        checked={chosen.length === rights.length}
        indeterminate={chosen.length > 0 && chosen.length < rights.length}
        disabled={own.length === 0}
        onChange={(event) => onSet(own, event.currentTarget.checked)}
      />
      <div className={`grid ${classes.rights}`}>
        {rights.map((right) => (
          <RightBox
            key={right}
            right={right}
            isChosen={chosen.includes(right)}
            locked={lockOf(right, value, may)}
            onChange={(isOn) => onSet([right], isOn)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Why a right cannot be ticked or unticked; null if it can. */
function lockOf(right: Right, value: Right[], may: May): string | null {
  if (!may(right)) return t('role.not_yours');
  const source = value.find((one) => one !== right && completeRights([one]).includes(right));
  return source ? t('role.implied', { right: rightName(source) }) : null;
}

interface BoxProps {
  right: Right;
  isChosen: boolean;
  locked: string | null;
  onChange: (isOn: boolean) => void;
}

function RightBox({ right, isChosen, locked, onChange }: BoxProps) {
  const id = useId();
  return (
    <Checkbox
      label={rightName(right)}
      description={
        <span id={id}>
          {t(`rights.${right}.text`)}
          {locked !== null && <span className="weight-550"> {locked}</span>}
        </span>
      }
      aria-describedby={id}
      checked={isChosen}
      disabled={locked !== null}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
