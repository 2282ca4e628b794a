import { lazy, Suspense, useState } from 'react';
import { CronField } from '../features/schedules/cron-field.tsx';
import { LaunchPreview } from '../features/tasks/launch-preview.tsx';
import type { TemplateParts } from '../features/templates/template-fields.tsx';
import { templateBody } from '../features/templates/template-values.ts';
import type { TemplateAddress } from './use-template-address.ts';

const TemplateDialog = lazy(async () => {
  const { TemplateDialog: component } = await import('../features/templates/template-dialog.tsx');
  return { default: component };
});

/** The template form over a screen; it is loaded when it is needed first. */
export function TemplateDialogs({ address }: { address: TemplateAddress }) {
  const { projectId, viewId, edit, copy, onClose } = address;
  const [isWanted, setWanted] = useState(false);
  if (!isWanted && (edit !== null || copy !== null)) setWanted(true);
  if (!isWanted) return null;
  const parts: TemplateParts = {
    renderCron: (field) => <CronField projectId={projectId} {...field} />,
    renderPreview: (values) => (
      <LaunchPreview template={{ ...templateBody(values), project_id: projectId }} />
    ),
  };
  return (
    <Suspense>
      <TemplateDialog
        projectId={projectId}
        edit={edit}
        copy={copy}
        viewId={viewId}
        parts={parts}
        onClose={onClose}
      />
    </Suspense>
  );
}
