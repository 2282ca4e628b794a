import { Textarea, TextInput } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { codeInput } from '../../resources/code-input.ts';
import { ImageFields, type ImageFieldsProps, NumberFields } from './image-fields.tsx';

const examples = {
  node_labels: 'disk=ssd\nkubernetes.io/arch=arm64',
  tolerations: 'gpu=true:NoSchedule',
  pod_labels: 'team=network',
  pull_secrets: 'registry-login',
  user: '1000:1000',
} as const;

type ListName = Exclude<keyof typeof examples, 'user'>;

export function PodFields({ form, projectId }: ImageFieldsProps) {
  return (
    <>
      <ImageFields form={form} projectId={projectId} kind="pod" />
      <PodList form={form} name="pull_secrets" />
      <NumberFields form={form} kind="pod" hint={t('execution_environment.pod.resources_hint')} />
      <PodList form={form} name="node_labels" />
      <PodList form={form} name="tolerations" />
      <PodList form={form} name="pod_labels" />
      <TextInput
        label={t('execution_environment.user')}
        description={t('execution_environment.pod.user_hint')}
        placeholder={examples.user}
        {...codeInput}
        {...form.getInputProps('user')}
      />
      <TextInput
        label={t('execution_environment.pod.service_account')}
        description={t('execution_environment.pod.service_account_hint')}
        {...codeInput}
        {...form.getInputProps('service_account')}
      />
    </>
  );
}

/** A list of texts, one a line. */
const PodList = ({ form, name }: Pick<ImageFieldsProps, 'form'> & { name: ListName }) => (
  <Textarea
    label={t(`execution_environment.pod.${name}`)}
    description={t(`execution_environment.pod.${name}_hint`)}
    placeholder={examples[name]}
    autosize
    minRows={1}
    maxRows={6}
    {...codeInput}
    {...form.getInputProps(name)}
  />
);
