// Handles the end of a session while the console is open: the screen stays as it is, and refused
// requests are sent again after the next sign-in.

import { leaveToSignIn } from './session-cookie.ts';

class SessionEnd {
  #isOver = false;
  #canAsk = false;
  #isLeaving = false;
  #goOn: (() => void)[] = [];
  #listeners = new Set<() => void>();

  /** For `useSyncExternalStore`: whether the user has to sign in again. */
  watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#canAsk = true;
    return () => {
      this.#listeners.delete(listener);
      this.#canAsk = this.#listeners.size > 0;
    };
  };

  isOver = (): boolean => this.#isOver;

  /** Resolves after the next sign-in. Leaves the page if no screen can show the sign-in dialog. */
  wait(): Promise<void> {
    if (!this.#canAsk) leaveToSignIn();
    else if (!this.#isLeaving) this.#set(true);
    return new Promise((resolve) => this.#goOn.push(resolve));
  }

  signedInAgain(): void {
    this.#set(false);
    for (const goOn of this.#goOn.splice(0)) goOn();
  }

  /** Called before a sign-out, so that the sign-in dialog does not open. */
  leave(): void {
    this.#isLeaving = true;
  }

  stay(): void {
    this.#isLeaving = false;
  }

  #set(isOver: boolean): void {
    this.#isOver = isOver;
    for (const listener of this.#listeners) listener();
  }
}

export const sessionEnd = new SessionEnd();
