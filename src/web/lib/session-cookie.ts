// Scripts see from a readable cookie whether a session exists; the session cookie itself is HttpOnly.

const name = 'signalbox_signed_in';

export const isSignedIn = (): boolean =>
  document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`));

/** Removes the cookie, so that the sign-in page does not redirect back. */
export function forgetSession(): void {
  document.cookie = `${name}=; Max-Age=0; Path=/; SameSite=Lax`;
}

const leftMark = 'signalbox-signed-out';

/**
 * Notes a sign-out. The sign-in page does not redirect to the only provider at once after it, since
 * that would start a new session.
 */
export const justSignedOut = {
  note: (): void => sessionStorage.setItem(leftMark, '1'),
  /** Returns whether a sign-out was noted, and clears the note. */
  take(): boolean {
    const isNoted = sessionStorage.getItem(leftMark) !== null;
    sessionStorage.removeItem(leftMark);
    return isNoted;
  },
};

/**
 * Returns the text if it is an address of this console to return to, else null: no open redirects.
 */
export function localAddress(text: string | undefined): string | null {
  if (!text?.startsWith('/')) return null;
  const url = URL.parse(text, location.origin);
  if (!url || url.origin !== location.origin || url.pathname.startsWith('/auth/')) return null;
  return url.pathname + url.search + url.hash;
}

let leaving = false;

export function leaveToSignIn(): void {
  if (leaving || location.pathname.startsWith('/auth/')) return;
  leaving = true;
  forgetSession();
  const here = location.pathname + location.search;
  location.assign(`/auth/login${here === '/' ? '' : `?next=${encodeURIComponent(here)}`}`);
}
