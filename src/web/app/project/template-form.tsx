import { useMemo } from 'react';
import { CronField } from '../../features/schedules/cron-field.tsx';
import { LaunchPreview } from '../../features/tasks/launch/launch-preview.tsx';
import { TemplateFormPage } from '../../features/templates/form/template-form-page.tsx';
import type { TemplateParts } from '../../features/templates/form/template-fields-props.ts';
import { templateBody } from '../../features/templates/form/template-values.ts';
import type { May } from '../../lib/roles/may.ts';
import { useAccess } from '../session/access.ts';
import { NewResourceDialog } from './new-resource.tsx';
import type { TemplateAddress } from '../address/template-address.ts';

export function TemplateForm({ address }: { address: TemplateAddress }) {
  const { projectId } = address;
  const may = useAccess(projectId);
  const parts = useMemo(() => partsOf(projectId, may), [projectId, may]);
  return <TemplateFormPage {...address} parts={parts} />;
}

/** The parts of other features. */
const partsOf = (projectId: number, may: May): TemplateParts => ({
  may,
  renderCron: (field) => <CronField projectId={projectId} {...field} />,
  renderPreview: (values) => (
    <LaunchPreview template={{ ...templateBody(values), project_id: projectId }} />
  ),
  renderNew: (kind, place) => <NewResourceDialog projectId={projectId} kind={kind} {...place} />,
});
