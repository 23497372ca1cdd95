import { once } from 'node:events'
import type { World } from './world.ts'

/** A request to stop the program: by SIGINT or SIGTERM. */
export type Stop = { signal: AbortSignal; asked: Promise<unknown>; [Symbol.dispose](): void }

/** One Ctrl-C can arrive twice: from the terminal and from npm. A second signal within this time is the same request. */
const ECHO_MS = 250

/** Listens for SIGINT and SIGTERM. The first requests a stop; a later one ends the process at once with exit code 130. */
export function listenForStop(process: World['process'], now = () => performance.now()): Stop {
  const stop = new AbortController()
  let askedAt = 0
  const onSignal = () => {
    if (!stop.signal.aborted) {
      askedAt = now()
      stop.abort()
    } else if (now() - askedAt > ECHO_MS) process.exit(130)
  }
  const names = ['SIGINT', 'SIGTERM'] as const
  for (const name of names) process.on(name, onSignal)
  return {
    signal: stop.signal,
    asked: once(stop.signal, 'abort'),
    [Symbol.dispose]() {
      for (const name of names) process.off(name, onSignal)
    },
  }
}
