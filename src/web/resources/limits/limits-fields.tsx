import { Button, Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { isLimited } from '#shared/grants/limits.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { TagsField } from '../../ui/forms/tags-field.tsx';
import { Collapsible } from '../../ui/page/collapsible.tsx';
import { HoursFields } from './hours-fields.tsx';
import { limitsBody, type LimitValues, type ZoneRenderer } from './limit-values.ts';

interface Props {
  value: LimitValues;
  onChange: (value: LimitValues) => void;
  /** By the path of their input. */
  errors: Record<string, ReactNode>;
  /** Whether only hosts can be limited. */
  isHostsOnly: boolean;
  renderZone: ZoneRenderer;
}

/** What a launch may ask for at most. */
export function LimitsFields({ value, onChange, errors, isHostsOnly, renderZone }: Props) {
  const change = (part: Partial<LimitValues>) => onChange({ ...value, ...part });
  const list = (name: 'tags' | 'hosts' | 'branches') => (
    <TagsField
      label={t(`access.limits.${name}`)}
      description={t(`access.limits.${name}_hint`)}
      known={[]}
      input={{
        value: value[name],
        onChange: (words) => change({ [name]: words }),
        error: errors[`limits.${name}`],
      }}
    />
  );
  const [isOpen] = useState(() => isLimitedBy(value));
  if (isHostsOnly) return list('hosts');
  const box = (name: 'dry_run' | 'second_person') => (
    <Checkbox
      label={t(`access.limits.${name}`)}
      checked={value[name]}
      onChange={(event) => change({ [name]: event.currentTarget.checked })}
    />
  );
  return (
    <Collapsible
      title={t('access.limits.title')}
      initiallyOpen={isOpen}
      hasError={Object.keys(errors).some((path) => path.startsWith('limits'))}
    >
      <div className="column gap-14">
        <p className="soft small">{t('access.limits.text')}</p>
        {list('tags')}
        {list('hosts')}
        {list('branches')}
        <AnswersFields
          value={value.answers}
          onChange={(answers) => change({ answers })}
          error={errors['limits.answers']}
        />
        {box('dry_run')}
        {box('second_person')}
        <HoursFields
          value={value.hours}
          onChange={(hours) => change({ hours })}
          errors={errors}
          renderZone={renderZone}
        />
        {errors['limits'] && <p className="small color-danger">{errors['limits']}</p>}
      </div>
    </Collapsible>
  );
}

const isLimitedBy = (value: LimitValues): boolean => isLimited(limitsBody(value, 'template'));

interface AnswersProps {
  value: LimitValues['answers'];
  onChange: (answers: LimitValues['answers']) => void;
  error: ReactNode;
}

function AnswersFields({ value, onChange, error }: AnswersProps) {
  return (
    <fieldset className="column gap-10 items-start">
      <legend className="weight-550" style={{ padding: 0 }}>
        {t('access.limits.answers')}
      </legend>
      {value.map((answer, index) => (
        <div key={index} className="row wrap items-start gap-8 w-full">
          <TextInput
            label={t('access.limits.variable')}
            value={answer.name}
            style={{ flex: '1 1 140px' }}
            onChange={(event) =>
              onChange(value.with(index, { ...answer, name: event.currentTarget.value }))
            }
          />
          <div style={{ flex: '2 1 200px' }}>
            <TagsField
              label={t('access.limits.values')}
              description={t('access.limits.values_hint')}
              known={[]}
              input={{
                value: answer.values,
                onChange: (values) => onChange(value.with(index, { ...answer, values })),
              }}
            />
          </div>
          <IconButton
            label={t('access.limits.remove', { name: answer.name })}
            icon={<IconTrash size={16} />}
            onClick={() => onChange(value.toSpliced(index, 1))}
          />
        </div>
      ))}
      {error && <p className="small color-danger">{error}</p>}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...value, { name: '', values: [] }])}
      >
        {t('access.limits.add')}
      </Button>
    </fieldset>
  );
}
