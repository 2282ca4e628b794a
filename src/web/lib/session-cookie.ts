// A readable cookie says whether a session exists; scripts cannot read the session itself.

const name = 'signalbox_signed_in';

export const isSignedIn = (): boolean =>
  document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`));

/** Removes the cookie here, so that the sign-in page does not redirect the person back. */
export function forgetSession(): void {
  document.cookie = `${name}=; Max-Age=0; Path=/; SameSite=Lax`;
}

const leftMark = 'signalbox-signed-out';

/**
 * Notes that somebody has just signed out. They are not redirected to the only provider at once,
 * since that would sign them in again.
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

/** An address of this console to come back to, or null when the text is anything else. */
export function localAddress(text: string | undefined): string | null {
  if (!text?.startsWith('/')) return null;
  const url = URL.parse(text, location.origin);
  if (!url || url.origin !== location.origin || url.pathname.startsWith('/auth/')) return null;
  return url.pathname + url.search + url.hash;
}

let leaving = false;

/** Goes to the sign-in page, which returns to the present address. */
export function leaveToSignIn(): void {
  if (leaving || location.pathname.startsWith('/auth/')) return;
  leaving = true;
  forgetSession();
  const here = location.pathname + location.search;
  location.assign(`/auth/login${here === '/' ? '' : `?next=${encodeURIComponent(here)}`}`);
}
