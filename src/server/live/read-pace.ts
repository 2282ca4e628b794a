// Reads no more from a client while many of its messages wait for their answer, so that a client that sends
// faster than it is answered takes no more memory: what it sends waits on its own side.

import type { WebSocket } from 'ws';

const MAX_UNANSWERED = 100;

export class ReadPace {
  readonly #socket: Pick<WebSocket, 'pause' | 'resume'>;
  #unanswered = 0;

  constructor(socket: Pick<WebSocket, 'pause' | 'resume'>) {
    this.#socket = socket;
  }

  /** Notes a message that will be answered; returns the function to be called once it is, or needs no answer. */
  begin(): () => void {
    let isOver = false;
    this.#unanswered += 1;
    if (this.#unanswered === MAX_UNANSWERED) this.#socket.pause();
    return () => {
      if (isOver) return;
      isOver = true;
      this.#unanswered -= 1;
      if (this.#unanswered === MAX_UNANSWERED - 1) this.#socket.resume();
    };
  }
}
