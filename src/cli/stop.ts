import type { World } from './world.ts'

/** A request to stop the program: by SIGINT or SIGTERM. */
export type Stop = {
  signal: AbortSignal
  /** The first of them. */
  asked: Promise<'SIGINT' | 'SIGTERM'>
  [Symbol.dispose](): void
}

/** One Ctrl-C can arrive twice: from the terminal and from npm. A second signal within this time is the same request. */
const ECHO_MS = 250

/** Listens for SIGINT and SIGTERM. The first requests a stop; a later one ends the process at once with exit code 130. */
export function listenForStop(process: World['process'], now = () => performance.now()): Stop {
  const stop = new AbortController()
  const asked = Promise.withResolvers<'SIGINT' | 'SIGTERM'>()
  let askedAt = 0
  const onSignal = (name: 'SIGINT' | 'SIGTERM') => {
    if (!stop.signal.aborted) {
      askedAt = now()
      stop.abort()
      asked.resolve(name)
    } else if (now() - askedAt > ECHO_MS) process.exit(130)
  }
  const names = ['SIGINT', 'SIGTERM'] as const
  const listeners = names.map((name) => [name, () => onSignal(name)] as const)
  for (const [name, listener] of listeners) process.on(name, listener)
  return {
    signal: stop.signal,
    asked: asked.promise,
    [Symbol.dispose]() {
      for (const [name, listener] of listeners) process.off(name, listener)
    },
  }
}
