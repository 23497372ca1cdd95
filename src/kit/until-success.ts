/** Waits between attempts, in milliseconds. */
const FIRST_MS = 500
const LONGEST_MS = 30_000

export type Attempts = {
  /** Begins attempts after a wait, unless they are under way already. */
  start(): void
  /** The next wait is the shortest again. Without it waits go on growing, also from one success to the next failure. */
  calm(): void
  end(): void
}

/** Repeats what fails until it succeeds, with a wait that doubles each time. It does not keep the process running. */
export function untilSuccess(attempt: () => Promise<unknown>): Attempts {
  let wait = FIRST_MS
  let timer: NodeJS.Timeout | undefined
  let isUnderWay = false
  let ended = false

  function tryLater(): void {
    isUnderWay = !ended
    if (ended) return
    timer = setTimeout(tryNow, wait).unref()
    wait = Math.min(2 * wait, LONGEST_MS)
  }

  function tryNow(): void {
    void attempt().then(() => {
      isUnderWay = false
    }, tryLater)
  }

  return {
    start() {
      if (!isUnderWay) tryLater()
    },
    calm() {
      wait = FIRST_MS
    },
    end() {
      ended = true
      clearTimeout(timer)
    },
  }
}
