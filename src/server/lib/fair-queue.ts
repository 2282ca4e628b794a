// Fair queue: limits waiters per event-loop tick, so that bursts do not starve other requests.

function createFairQueue(perTick: number): () => Promise<void> {
  const queue: (() => void)[] = [];
  const release = (): void => {
    for (const resume of queue.splice(0, perTick)) resume();
    // Timers and arrived data are processed before the next tick.
    if (queue.length > 0) setImmediate(release);
  };
  return () =>
    new Promise((resolve) => {
      queue.push(resolve);
      if (queue.length === 1) setImmediate(release);
    });
}

/** For websocket sends: the receivers of one tick share the reads that the message needs. */
export const yieldToEventLoop = createFairQueue(25);

/** For requests of users, each of which may take several milliseconds. */
export const admitRequest = createFairQueue(3);
