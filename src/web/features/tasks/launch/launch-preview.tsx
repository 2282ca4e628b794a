import { useForm } from '@mantine/form';
import { NewTaskFields } from './new-task-fields.tsx';
import { firstValues, type LaunchTemplate, type NewTaskValues } from './new-task-values.ts';

/** A read-only preview of the launch dialog of the template. */
export function LaunchPreview({ template }: { template: LaunchTemplate }) {
  const values = firstValues(template, undefined);
  // Remounts the preview for other values, because a form reads its initial values only once.
  return <Preview key={JSON.stringify(values)} template={template} values={values} />;
}

function Preview({ template, values }: { template: LaunchTemplate; values: NewTaskValues }) {
  const form = useForm({ initialValues: values });
  return <NewTaskFields template={template} earlier={undefined} settings={null} form={form} />;
}
