// Lets thousands do something at the same moment without standing in the way of everything else: a few
// have their turn in each round of the event loop.

/** Answers a function that settles when it is the caller's turn, in the order of the calls. */
function createTurns(mostAtOnce: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const giveTurns = (): void => {
    for (const begin of waiting.splice(0, mostAtOnce)) begin();
    // Timers and what has arrived come before the next round.
    if (waiting.length > 0) setImmediate(giveTurns);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(giveTurns);
    });
}

/** For what is sent to many: those who have their turn together share what they have to read for it. */
export const takeTurn = createTurns(25);

/** For the requests of people, each of which may be the work of several milliseconds. */
export const takeRequestTurn = createTurns(3);
