// Runs a template on the selected hosts of the list: its launch dialog opens with them as the limit.

import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { Host } from '#shared/api/hosts.ts';
import { t } from '../../lib/i18n.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import { SelectionBar } from '../../ui/lists/selection-bar.tsx';
import type { Selection } from '../../ui/lists/use-selection.ts';

const TemplateField = lazyExport(() => import('./template-field.tsx'), 'TemplateField');

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
