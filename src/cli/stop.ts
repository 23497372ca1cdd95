import { once } from 'node:events'
import type { World } from './world.ts'

/** The wish of whoever started the program that it end. */
export type Stop = { signal: AbortSignal; asked: Promise<unknown>; [Symbol.dispose](): void }

/** npm hands a Ctrl-C of the terminal to its child, who had it from the terminal already: one wish, two signals. */
const ECHO_MS = 250

/** Listens for SIGINT and SIGTERM: the first asks to stop, one after it ends the process at once with 130. */
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
