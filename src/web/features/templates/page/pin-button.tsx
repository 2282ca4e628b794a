import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPin, IconPinnedOff } from '@tabler/icons-react';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import {
  overviewQueries,
  pinTemplate,
  unpinTemplate,
} from '../../tasks/overview/overview.queries.ts';

export function PinButton({ projectId, templateId }: { projectId: number; templateId: number }) {
  const { data: pins } = useQuery(overviewQueries.pins());
  const isPinned = pins?.some((pin) => pin.template_id === templateId) ?? false;
  const { mutate } = useMutation({
    ...(isPinned ? unpinTemplate() : pinTemplate()),
    onError: toastFailure,
  });
  return (
    <IconButton
      label={isPinned ? t('overview.unpin') : t('overview.pin')}
      icon={isPinned ? <IconPinnedOff size={18} /> : <IconPin size={18} />}
      onClick={() => mutate({ params: { project_id: projectId, template_id: templateId } })}
    />
  );
}
