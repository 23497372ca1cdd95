/** The callers who wait, in the order of their calls. */
const waiting: (() => void)[] = []

/**
 * Waits for a turn of the event loop that no other caller gets. Where many go on in one turn, each for some milliseconds, everybody
 * else waits for all of them.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(passTurn)
  })
}

function passTurn(): void {
  waiting.shift()!()
  // In the next turn: what is set in this one runs after it.
  if (waiting.length > 0) setImmediate(passTurn)
}
