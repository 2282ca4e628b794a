import { NumberInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { pullPolicies } from '#shared/api/execution-environments.ts';
import { t } from '../../lib/i18n.ts';
import { codeInput } from '../../resources/code-input.ts';
import { Select } from '../../ui/forms/select.ts';
import { type ExecutionValues, numberNames } from './execution-environment-values.ts';
import { executionEnvironmentQueries } from './execution-environments.queries.ts';
import { UnavailableNote } from './unavailable-note.tsx';
import classes from './image-fields.module.css';

const example = 'quay.io/example/tools:1.4';

/** The kinds whose programs are those of an image. */
type ImageKind = keyof typeof numberNames;

export interface ImageFieldsProps {
  form: UseFormReturnType<ExecutionValues>;
  /** Null: of the installation. */
  projectId: number | null;
}

/** The image, and why none can run now. */
export function ImageFields({ form, projectId, kind }: ImageFieldsProps & { kind: ImageKind }) {
  const { data } = useQuery(executionEnvironmentQueries.list(projectId));
  const reason = data?.find((one) => one.kind === kind && one.unavailable !== null)?.unavailable;
  return (
    <>
      {reason && <UnavailableNote reason={reason} />}
      <TextInput
        label={t('execution_environment.image')}
        description={t('execution_environment.image_hint')}
        placeholder={example}
        required
        {...codeInput}
        {...form.getInputProps('image')}
      />
      <Select
        label={t('execution_environment.pull.label')}
        allowDeselect={false}
        data={pullPolicies.map((value) => ({ value, label: pullWords(kind, value) }))}
        {...form.getInputProps('pull')}
      />
    </>
  );
}

const pullWords = (kind: ImageKind, value: (typeof pullPolicies)[number]): string =>
  kind === 'pod' && value === 'missing'
    ? t('execution_environment.pod.pull_missing')
    : t(`execution_environment.pull.${value}`);

const units = { memory: ' MiB', cpu: ' %', process: '' } as const;
const unitOf = (name: string): string => units[name.split('_')[0] as keyof typeof units];

interface NumbersProps extends Pick<ImageFieldsProps, 'form'> {
  kind: ImageKind;
  hint: string;
}

/** What a task may use, and for a pod what its node has to have free. */
export function NumberFields({ form, kind, hint }: NumbersProps) {
  return (
    <div className={`grid items-start gap-14 ${classes[kind]}`}>
      {numberNames[kind].map((name) => (
        <NumberInput
          key={name}
          label={
            name === 'memory_request_mib' || name === 'cpu_request_percent'
              ? t(`execution_environment.pod.${name}`)
              : t(`template.more.${name}`)
          }
          suffix={unitOf(name)}
          min={0}
          allowDecimal={false}
          hideControls
          {...form.getInputProps(name)}
        />
      ))}
      <p className="soft smaller full-row">{hint}</p>
    </div>
  );
}
