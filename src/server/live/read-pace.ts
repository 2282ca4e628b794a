// Backpressure: pauses reading while many messages of a client are unanswered.

import type { WebSocket } from 'ws';

const MAX_UNANSWERED = 100;

/** The returned function counts a message; its result is called when the message needs no further reply. */
export function createReadPace(socket: Pick<WebSocket, 'pause' | 'resume'>): () => () => void {
  let unanswered = 0;
  return () => {
    let isOver = false;
    unanswered += 1;
    if (unanswered === MAX_UNANSWERED) socket.pause();
    return () => {
      if (isOver) return;
      isOver = true;
      unanswered -= 1;
      if (unanswered === MAX_UNANSWERED - 1) socket.resume();
    };
  };
}
