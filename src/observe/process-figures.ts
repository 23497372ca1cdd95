import { statfsSync, statSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import path from 'node:path'
import { DATA_FILES } from '../contract/data-files.ts'
import type { Metrics, Sample } from '../kit/metrics.ts'

/** How often the delay of the event loop is measured, in milliseconds. */
const RESOLUTION_MS = 20
/** How long after the last scrape it is still measured, in milliseconds. A timer would wake an idle process all the time. */
const MEASURED_MS = 600_000

/** Adds the figures of the process and of its data directory. They are read at each scrape, and cost nothing in between. */
export function readProcessFigures(
  { read }: Pick<Metrics, 'read'>,
  { version, dataDirectory }: { version: string; dataDirectory: string },
): void {
  const gauge = (name: string, help: string, samples: () => readonly Sample[]) =>
    read({ name, help, type: 'gauge' }, samples)
  const one = (value: number): readonly Sample[] => [{ value }]

  gauge('sluice_build_info', 'The version of the server and of Node; always 1', () => [
    { labels: { version, node: process.version }, value: 1 },
  ])
  gauge('process_start_time_seconds', 'When the process started, in seconds since 1970', () =>
    one(Math.round(Date.now() / 1000 - process.uptime())),
  )
  read({ name: 'process_cpu_seconds_total', help: 'Processor time of the process', type: 'counter' }, () => {
    const { user, system } = process.cpuUsage()
    return one((user + system) / 1e6)
  })
  gauge('process_resident_memory_bytes', 'Memory of the process', () => one(process.memoryUsage.rss()))
  gauge('sluice_memory_bytes', 'Memory of the process by use', () => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
    const uses = { heap_used: heapUsed, heap_total: heapTotal, external, array_buffers: arrayBuffers }
    return Object.entries(uses).map(([use, value]) => ({ labels: { use }, value }))
  })

  const delays = loopDelay()
  gauge('sluice_event_loop_delay_seconds', 'Delay of the event loop since the last scrape', delays)

  gauge('sluice_database_bytes', 'Size of the files of the database', () =>
    ['', '-wal', '-shm'].flatMap((ending) => {
      const size = sizeOf(path.join(dataDirectory, DATA_FILES.database + ending))
      return size === undefined
        ? []
        : [{ labels: { file: ending === '' ? 'main' : ending.slice(1) }, value: size }]
    }),
  )
  gauge('sluice_disk_free_bytes', 'Free room on the disk of the data directory', () => {
    try {
      const { bavail, bsize } = statfsSync(dataDirectory)
      return one(bavail * bsize)
    } catch {
      // Some file systems do not report it.
      return []
    }
  })
}

/** The delay of the event loop. It is measured from the first scrape on, while scrapes come. */
function loopDelay(): () => readonly Sample[] {
  let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined
  let stopping: NodeJS.Timeout | undefined
  const stop = () => {
    histogram?.disable()
    histogram = undefined
  }
  return () => {
    clearTimeout(stopping)
    stopping = setTimeout(stop, MEASURED_MS).unref()
    if (!histogram) {
      histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
      histogram.enable()
      return []
    }
    // The histogram has the time between its timers.
    const delay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000)
    const { min, max, count } = histogram
    const at = [50, 99].map((percent) => [String(percent), histogram!.percentile(percent)] as const)
    histogram.reset()
    if (count === 0 || min > max) return []
    return [...at, ['100', max] as const].map(([percentile, value]) => ({
      labels: { percentile },
      value: delay(value),
    }))
  }
}

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size
