// Lets thousands do something at the same moment without standing in the way of everything else: a few
// have their turn in each round of the event loop.

const mostAtOnce = 25;

const waiting: (() => void)[] = [];

/** Settles when it is the caller's turn, in the order of the calls. */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurns);
  });
}

function giveTurns(): void {
  for (const begin of waiting.splice(0, mostAtOnce)) begin();
  // Timers and requests come before the next round.
  if (waiting.length > 0) setImmediate(giveTurns);
}
