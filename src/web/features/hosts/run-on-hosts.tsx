// Runs a template on the selected hosts of the list: its launch dialog opens with them as the limit.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { hasField } from '#shared/apps.ts';
import type { Host } from '#shared/api/hosts.ts';
import type { Template } from '#shared/api/templates.ts';
import { t } from '../../lib/i18n.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { SelectionBar } from '../../ui/lists/selection-bar.tsx';
import type { Selection } from '../../ui/lists/use-selection.ts';
import { templateQueries } from '../templates/templates.queries.ts';

const BulkQuestion = lazyExport(() => import('../../resources/bulk-question.tsx'), 'BulkQuestion');

/** Whether the name as a pattern of Ansible selects exactly the host of this name. */
export const isPattern = (name: string): boolean =>
  /^[\w.-]+$/.test(name) && name !== 'all' && name !== 'ungrouped';

export type RunOnHosts = (launch: { templateId: number; limit: string }) => void;

interface Props {
  projectId: number;
  selection: Selection<Host>;
  onRun: RunOnHosts;
}

export function RunOnHostsBar({ projectId, selection, onRun }: Props) {
  const [opened, setOpened] = useState(false);
  const names = selection.selected.map(({ name }) => name);
  const label = (count: number) => t('host.bulk.run', { count });
  const run = (templateId: number) => {
    setOpened(false);
    // The launch dialog returns the focus to where it is now; the button of the question is gone then.
    selection.focusList();
    onRun({ templateId, limit: names.join(',') });
  };
  return (
    <>
      <SelectionBar selection={selection}>
        <Button
          size="compact-sm"
          leftSection={<IconPlayerPlay size={15} />}
          onClick={() => setOpened(true)}
        >
          {label(names.length)}
        </Button>
      </SelectionBar>
      <OnceOpened opened={opened}>
        <BulkQuestion
          opened={opened}
          action={{
            label,
            needsValue: true,
            renderField: (value, onChange) => (
              <TemplateField
                projectId={projectId}
                value={typeof value === 'number' ? value : null}
                onChange={onChange}
              />
            ),
          }}
          names={names}
          busy={false}
          onConfirm={(value) => {
            if (typeof value === 'number') run(value);
          }}
          onClose={() => setOpened(false)}
        />
      </OnceOpened>
    </>
  );
}

const takesLimit = ({ app, allow_override_limit_in_task: isAsked }: Template): boolean =>
  isAsked && hasField(app, 'limit');

interface FieldProps {
  projectId: number;
  value: number | null;
  onChange: (templateId: number | null) => void;
}

function TemplateField({ projectId, ...props }: FieldProps) {
  const { data } = useQuery(templateQueries.list(projectId));
  const possible = data?.filter(takesLimit);
  return (
    <IdSelect
      label={t('template.one')}
      description={t(possible?.length === 0 ? 'host.bulk.none' : 'host.bulk.hint')}
      items={possible}
      required
      data-autofocus
      {...props}
    />
  );
}
