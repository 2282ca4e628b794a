import { Checkbox, NumberInput, Textarea } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { useQuery } from '@tanstack/react-query';
import { type ApprovalNode, MAX_WAIT_S, timeoutRules } from '#shared/workflows/graph.ts';
import { MultiSelect, Select } from '../../../ui/forms/select.ts';
import { languageTag, t } from '../../../lib/i18n.ts';
import { span } from '../../../lib/time.ts';
import { memberQueries } from '../../members/members.queries.ts';
import { useRoleChoices } from '../../roles/roles.queries.ts';
import classes from './editor.module.css';
import type { FieldsProps } from './fields-props.ts';

type Props = FieldsProps<ApprovalNode>;

export function ApprovalFields(props: Props) {
  const { node, onNode, isWrong, errors, renderSurvey } = props;
  return (
    <>
      <Textarea
        label={t('workflow.editor.question')}
        autosize
        minRows={2}
        maxRows={8}
        value={node.question}
        error={isWrong('question')}
        onChange={(event) => onNode({ ...node, question: event.currentTarget.value }, 'question')}
      />
      <Approvers {...props} />
      <fieldset className={`column gap-10 border-top ${classes.group}`}>
        <legend>{t('workflow.editor.fields')}</legend>
        <p className="soft">{t('workflow.editor.fields_hint')}</p>
        {renderSurvey({
          path: 'fields',
          variables: node.fields,
          errors,
          onChange: (fields, field) => onNode({ ...node, fields }, field),
        })}
      </fieldset>
      <NumberInput
        label={t('workflow.editor.timeout')}
        description={node.timeout_s === null ? null : span(node.timeout_s, languageTag)}
        placeholder={t('workflow.editor.never')}
        min={1}
        max={MAX_WAIT_S}
        allowDecimal={false}
        value={node.timeout_s ?? ''}
        error={isWrong('timeout_s')}
        onChange={(value) => onNode({ ...node, timeout_s: Number(value) || null }, 'timeout')}
      />
      {node.timeout_s !== null && (
        <Select
          label={t('workflow.editor.on_timeout.label')}
          allowDeselect={false}
          data={timeoutRules.map((value) => ({
            value,
            label: t(`workflow.editor.on_timeout.${value}`),
          }))}
          value={node.on_timeout}
          onChange={(rule) =>
            onNode({ ...node, on_timeout: rule === 'approve' ? 'approve' : 'reject' })
          }
        />
      )}
    </>
  );
}

function Approvers({ projectId, node, onNode, isWrong }: Props) {
  const { data: members } = useQuery(memberQueries.list(projectId));
  const roles = useRoleChoices(projectId);
  const slugs = [...new Set([...roles.map(({ slug }) => slug), ...node.roles])];
  return (
    <>
      <Checkbox.Group
        label={t('workflow.editor.roles')}
        value={node.roles}
        error={isWrong('roles')}
        onChange={(chosen) =>
          onNode({ ...node, roles: slugs.filter((slug) => chosen.includes(slug)) })
        }
      >
        <div className="flex wrap pt-6" style={{ gap: '8px 18px' }}>
          {roles.map(({ slug, name }) => (
            <Checkbox key={slug} value={slug} label={name} />
          ))}
        </div>
      </Checkbox.Group>
      <MultiSelect
        label={t('workflow.editor.users')}
        searchable
        data={(members ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        nothingFoundMessage={t('common.nothing_found')}
        value={node.user_ids.map(String)}
        error={Array.from(node.user_ids.keys()).some((index) => isWrong(`user_ids.${index}`))}
        onChange={(ids) => onNode({ ...node, user_ids: ids.map(Number) })}
      />
      <Checkbox
        label={t('workflow.editor.not_launcher')}
        checked={node.not_launcher}
        onChange={(event) => onNode({ ...node, not_launcher: event.currentTarget.checked })}
      />
    </>
  );
}
