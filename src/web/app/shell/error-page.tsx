import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { IconMoodPuzzled, IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { ApiError } from '../../lib/api.ts';
import { errorWords, requestIdOf } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { untilServerIsBack } from '../../lib/server-back.ts';
import { leaveToSignIn } from '../../lib/session-cookie.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';

export function ErrorPage({ error }: ErrorComponentProps) {
  const requestId = requestIdOf(error);
  const gone = error instanceof ApiError && error.status === 404;
  // An answer of the server is final; without one, the server or the network was away.
  useReloadWhenBack(!(error instanceof ApiError) || error.status === 0 || error.status >= 502);
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

// An error of the console itself, which a reload does not mend, must not repeat for ever.
const MIN_RELOAD_INTERVAL_MS = 30_000;

/** Loads the page again as soon as the server answers; its address is kept. */
function useReloadWhenBack(isAway: boolean): void {
  useEffect(() => {
    const key = `reloaded ${location.pathname}`;
    const last = Number(sessionStorage.getItem(key));
    if (!isAway || Date.now() - last < MIN_RELOAD_INTERVAL_MS) return;
    const stop = new AbortController();
    untilServerIsBack(stop.signal).then(
      () => {
        sessionStorage.setItem(key, String(Date.now()));
        location.reload();
      },
      () => {},
    );
    return () => stop.abort();
  }, [isAway]);
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
