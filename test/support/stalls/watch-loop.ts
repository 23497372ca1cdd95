import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a server by `--import`: answers the message `longest-block` with the longest time, in milliseconds,
 * for which the event loop was blocked since the last such message. Children and threads of the server are left alone.
 */
if (isMainThread && process.send && process.argv[2] === 'start') {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  process.on('message', (message) => {
    if (message !== 'longest-block') return
    process.send!({ longestBlockMs: delay.max / 1e6 })
    delay.reset()
  })
  process.channel!.unref()
}
