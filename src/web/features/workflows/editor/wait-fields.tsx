import { NumberInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.layer.css';
import { MAX_WAIT_S, type WaitNode } from '#shared/workflows/graph.ts';
import { Select } from '../../../ui/forms/select.ts';
import { languageTag, t } from '../../../lib/i18n.ts';
import { span } from '../../../lib/time.ts';
import type { FieldsProps } from './fields-props.ts';

export function WaitFields({ node, onNode, isWrong, renderZone }: FieldsProps<WaitNode>) {
  const { seconds, until, time_zone: zone } = node;
  const isUntil = until !== null;
  return (
    <>
      <Select
        label={t('workflow.editor.wait.label')}
        allowDeselect={false}
        data={[
          { value: 'seconds', label: t('workflow.editor.wait.seconds') },
          { value: 'until', label: t('workflow.editor.wait.until') },
        ]}
        value={isUntil ? 'until' : 'seconds'}
        onChange={(way) =>
          onNode(
            way === 'until'
              ? { ...node, seconds: null, until: '22:00' }
              : { ...node, seconds: 60, until: null, time_zone: '' },
          )
        }
      />
      {isUntil ? (
        <>
          <TextInput
            type="time"
            label={t('workflow.editor.wait.time')}
            required
            value={until}
            error={isWrong('until')}
            onChange={(event) => onNode({ ...node, until: event.currentTarget.value }, 'until')}
          />
          {renderZone({
            value: zone,
            onChange: (chosen) => onNode({ ...node, time_zone: chosen }),
          })}
        </>
      ) : (
        <NumberInput
          label={t('workflow.editor.wait.amount')}
          description={seconds === null ? null : span(seconds, languageTag)}
          required
          min={1}
          max={MAX_WAIT_S}
          allowDecimal={false}
          value={seconds ?? ''}
          error={isWrong('seconds')}
          onChange={(value) => onNode({ ...node, seconds: Number(value) || null }, 'seconds')}
        />
      )}
    </>
  );
}
