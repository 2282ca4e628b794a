// A session that ends while somebody works: the screen stays as it is, and what was asked of the
// server is asked again once they have signed in again.

import { leaveToSignIn } from './session-cookie.ts';

class SessionEnd {
  #isOver = false;
  #canAsk = false;
  #isLeaving = false;
  #goOn: (() => void)[] = [];
  #listeners = new Set<() => void>();

  /** For `useSyncExternalStore`: whether somebody has to sign in again. */
  watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#canAsk = true;
    return () => {
      this.#listeners.delete(listener);
      this.#canAsk = this.#listeners.size > 0;
    };
  };

  isOver = (): boolean => this.#isOver;

  /**
   * Resolves once there is a session again. Without a screen that can ask to sign in, it leaves the
   * page.
   */
  wait(): Promise<void> {
    if (!this.#canAsk) leaveToSignIn();
    else if (!this.#isLeaving) this.#set(true);
    return new Promise((resolve) => this.#goOn.push(resolve));
  }

  signedInAgain(): void {
    this.#set(false);
    for (const goOn of this.#goOn.splice(0)) goOn();
  }

  /** The person signs out: nothing asks them to come back. */
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
