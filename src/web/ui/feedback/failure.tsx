import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';

interface Props {
  /** Nothing is rendered for null. */
  message: string | null;
  /** The id under which the server logged the failure. */
  requestId?: string | undefined;
  onRetry?: (() => void) | undefined;
}

export function Failure({ message, requestId, onRetry }: Props) {
  if (message === null) return null;
  return (
    <Alert color="danger" variant="light" icon={<IconAlertTriangle size={18} />}>
      {message}
      {requestId && <div className="soft mono">{t('error.request_id', { id: requestId })}</div>}
      {onRetry && (
        <div>
          <Button variant="default" size="compact-sm" mt={8} onClick={onRetry}>
            {t('common.try_again')}
          </Button>
        </div>
      )}
    </Alert>
  );
}
