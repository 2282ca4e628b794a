import { useForm } from '@mantine/form';
import { NewTaskFields } from './new-task-fields.tsx';
import { firstValues, type LaunchTemplate, type NewTaskValues } from './new-task-values.ts';

/** The form in which people launch a task of a template, to look at only. */
export function LaunchPreview({ template }: { template: LaunchTemplate }) {
  const values = firstValues(template, undefined);
  // It shows what it begins with: when that changes, it begins anew.
  return <Preview key={JSON.stringify(values)} template={template} values={values} />;
}

function Preview({ template, values }: { template: LaunchTemplate; values: NewTaskValues }) {
  const form = useForm({ initialValues: values });
  return <NewTaskFields template={template} earlier={undefined} form={form} />;
}
