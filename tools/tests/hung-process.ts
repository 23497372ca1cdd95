import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** How long a process may take to write its report, in milliseconds. */
const REPORT_MS = 20_000

/** A process writes it between two events. */
const NO_REPORT = 'it wrote no report: its main thread is in a call that does not return'

/** What a process of Node waits for, by the report that Node itself writes. */
export type HungReport = {
  /** The arguments of Node with which it writes the report when it is asked. */
  readonly args: readonly string[]
  /** Asks for the report. @returns the open handles that keep the process and its threads, a line each */
  read(child: ChildProcess): Promise<string>
}

export function hungReport(waitMs = REPORT_MS): HungReport {
  const name = `sluice-hung-${randomUUID()}.json`
  const file = path.join(tmpdir(), name)
  return {
    args: [
      ...['--report-on-signal', '--report-exclude-env', '--report-exclude-network'],
      ...[`--report-directory=${tmpdir()}`, `--report-filename=${name}`],
    ],
    async read(child) {
      child.kill('SIGUSR2')
      try {
        for (const end = Date.now() + waitMs; Date.now() < end; await setTimeout(50)) {
          const report = reportIn(file)
          if (report) return linesOf(report).join('\n')
        }
        return NO_REPORT
      } finally {
        rmSync(file, { force: true })
      }
    },
  }
}

type Handle = {
  type: string
  is_active?: boolean
  is_referenced?: boolean
  localEndpoint?: { host: string; port: number } | null
  remoteEndpoint?: { host: string; port: number } | null
  pid?: number
  firesInMsFromNow?: number
}

type Report = { libuv: Handle[]; workers?: Report[] }

/** The report; undefined while it is being written. */
function reportIn(file: string): Report | undefined {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return undefined
  }
}

function linesOf({ libuv, workers = [] }: Report, what = 'the process'): string[] {
  return [
    ...libuv.flatMap((handle) =>
      handle.is_active && handle.is_referenced ? `${what} is kept by ${wordsOf(handle)}` : [],
    ),
    ...workers.flatMap((worker, at) => linesOf(worker, `its thread ${at + 1}`)),
  ]
}

function wordsOf({ type, localEndpoint, remoteEndpoint, pid, firesInMsFromNow }: Handle): string {
  const ends = [localEndpoint, remoteEndpoint].map((end) => end && `${end.host}:${end.port}`)
  return [
    type,
    ends[0] && `at ${ends[0]}`,
    ends[1] && `to ${ends[1]}`,
    pid === undefined ? '' : `of process ${pid}`,
    firesInMsFromNow === undefined ? '' : `in ${firesInMsFromNow} ms`,
  ]
    .filter(Boolean)
    .join(' ')
}
