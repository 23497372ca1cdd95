import type { EgressFetch } from '../../kit/egress/client.ts'
import { reasonOf } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import { PASSING_STATUS } from '../../kit/retry.ts'
import type { EndedSpan } from './otlp-json.ts'

/** How many spans one request has at most, and how many may wait; further ones are dropped and counted. */
const LIMITS = { batch: 512, waiting: 4096 }

export type SpanExporter = {
  add(span: EndedSpan): void
  /** Sends what waits, and stops. */
  close(): Promise<void>
}

export type SpanExporterOptions = {
  url: string
  headers: Readonly<Record<string, string>>
  fetch: EgressFetch
  /** Writes spans as the body of a request. */
  write(spans: readonly EndedSpan[]): string
  log: Log
  /** How long spans wait for others, in milliseconds. */
  everyMs: number
}

/**
 * Sends spans to a collector, in batches. A batch that the collector cannot take now is sent once more with the next one;
 * what it refuses is dropped. Work never waits for it.
 */
export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const { url, headers, fetch, write, log, everyMs } = options
  let waiting: EndedSpan[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  /** The collector is away: one warning until it answers again. */
  let away = false

  function schedule(): void {
    if (waiting.length === 0 || sending) return
    timer ??= setTimeout(flush, waiting.length >= LIMITS.batch ? 0 : everyMs).unref()
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    sending ??= send().finally(() => {
      sending = undefined
      schedule()
    })
  }

  async function send(): Promise<void> {
    const batch = waiting.slice(0, LIMITS.batch)
    waiting = waiting.slice(batch.length)
    const outcome = await attempt(batch)
    if (outcome === 'taken') {
      if (away) log.info('traces-sent-again', { dropped })
      away = false
      dropped = 0
      return
    }
    if (!away) log.warn('traces-not-sent', { reason: outcome.reason })
    const keeps = outcome.passing && !away
    away = true
    if (keeps) waiting = [...batch, ...waiting].slice(0, LIMITS.waiting)
    else dropped += batch.length
  }

  async function attempt(batch: readonly EndedSpan[]) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: write(batch),
        redirect: 'manual',
      })
      await response.body?.cancel()
      if (response.ok) return 'taken'
      return {
        reason: `it answered with status ${response.status}`,
        passing: PASSING_STATUS.has(response.status),
      }
    } catch (error) {
      return { reason: reasonOf(error), passing: true }
    }
  }

  return {
    add(span) {
      if (waiting.length >= LIMITS.waiting) {
        dropped++
        return
      }
      waiting.push(span)
      if (waiting.length === LIMITS.batch) flush()
      else schedule()
    },
    async close() {
      clearTimeout(timer)
      await sending
      clearTimeout(timer)
      // A collector that is away would delay the end of the process.
      while (waiting.length > 0 && !away) await send()
    },
  }
}
