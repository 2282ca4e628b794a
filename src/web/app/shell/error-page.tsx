import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { IconMoodPuzzled, IconPlugConnectedX } from '@tabler/icons-react';
import { ApiError } from '../../lib/api.ts';
import { errorWords, requestIdOf } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { leaveToSignIn } from '../../lib/session-cookie.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';

export function ErrorPage({ error }: ErrorComponentProps) {
  const requestId = requestIdOf(error);
  const gone = error instanceof ApiError && error.status === 404;
  return (
    <main className="row justify-center" style={{ minHeight: '70vh' }} role="alert">
      <EmptyState
        icon={<IconPlugConnectedX size={24} />}
        title={gone ? t('error.gone') : t('error.title')}
        text={errorWords(error)}
      >
        {requestId && <p className="soft mono">{t('error.request_id', { id: requestId })}</p>}
        <div className="flex wrap justify-center gap-10">
          <Button onClick={() => location.reload()}>{t('error.refresh')}</Button>
          <Button variant="default" onClick={leaveToSignIn}>
            {t('error.sign_in_again')}
          </Button>
          {gone && (
            <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
              {t('error.my_projects')}
            </Button>
          )}
        </div>
      </EmptyState>
    </main>
  );
}

export function NotFoundPage() {
  return (
    <main className="row justify-center" style={{ minHeight: '70vh' }}>
      <EmptyState
        icon={<IconMoodPuzzled size={24} />}
        title={t('error.no_page')}
        text={t('error.no_page_text')}
      >
        <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('error.my_projects')}</Button>
      </EmptyState>
    </main>
  );
}
