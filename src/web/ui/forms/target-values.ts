// The target of a schedule or an integration, as values of inputs.

export type TargetValues = {
  starts: 'template' | 'workflow';
  template_id: number | null;
  workflow_id: number | null;
};

type Target = Omit<TargetValues, 'starts'>;

const nothing: Target = { template_id: null, workflow_id: null };

export const targetValues = ({ template_id, workflow_id }: Target = nothing): TargetValues => ({
  starts: workflow_id === null ? 'template' : 'workflow',
  template_id,
  workflow_id,
});

/** The values for the body; the target of the other kind is omitted. */
export const targetBody = ({ starts, template_id, workflow_id }: TargetValues): Target =>
  starts === 'workflow' ? { template_id: null, workflow_id } : { template_id, workflow_id: null };
