import type { JobAnswer } from '../api/job.ts'
import { notLoaded } from './not-loaded.ts'
import type { Paint } from './paint.ts'
import { shorten } from './printable.ts'
import { counted, readableBytes, readableTime } from './units.ts'
import type { World } from './world.ts'

/** The progress of an upload, in one line of a terminal that is overwritten, and removed at the end. */
export type Progress = {
  sent(bytes: number): void
  uploaded(): void
  /** The server reported the state of the job. */
  working(job: JobAnswer): void
  end(): void
}

const EVERY_MS = 100
const BAR = 24

/**
 * Shows an upload on standard error, if that is a terminal. After the last byte it shows how long the server has been
 * working.
 *
 * @param total bytes; undefined where that is not known
 * @param now milliseconds
 */
export function showProgress(
  { stderr }: Pick<World, 'stderr'>,
  total: number | undefined,
  paint: Paint,
  now = () => performance.now(),
): Progress {
  if (!stderr.isTTY) return { sent() {}, uploaded() {}, working() {}, end() {} }
  let sent = 0
  let uploadedAt: number | undefined
  let job: JobAnswer | undefined
  const draw = () => {
    const line =
      uploadedAt === undefined
        ? uploading(sent, total)
        : [
            sent > 0 && `Uploaded ${readableBytes(sent)} · `,
            job ? `${jobLine(job)} · ` : 'indexing ',
            readableTime(now() - uploadedAt),
          ]
            .filter((part) => part !== false)
            .join('')
    stderr.write(`\r\u001b[K${paint('cyan', shorten(line, (stderr.columns || 80) - 1))}`)
  }
  const timer = setInterval(draw, EVERY_MS)
  draw()
  return {
    sent(bytes) {
      sent += bytes
    },
    uploaded() {
      uploadedAt = now()
      draw()
    },
    working(given) {
      job = given
    },
    end() {
      clearInterval(timer)
      stderr.write('\r\u001b[K')
    },
  }
}

function uploading(sent: number, total: number | undefined): string {
  if (total === undefined) return `Uploading ${readableBytes(sent)}`
  const part = total === 0 ? 1 : sent / total
  const full = Math.round(part * BAR)
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
  return `Uploading ${bar} ${Math.floor(part * 100)} % of ${readableBytes(total)}`
}

/** The state of a job in a few words. */
export function jobLine({
  state,
  attempt,
  stage,
  files,
  chunks,
  points,
  questions,
  rate,
  etaSeconds,
  place,
  waitsFor,
  waiting,
}: JobAnswer): string {
  const lost = notLoaded(files)
  if (state === 'queued' && waitsFor !== undefined) return `${state}, waits for the ${waitsFor}`
  if (state === 'queued' && place !== undefined) return `${state}, place ${place.toLocaleString('en')}`
  if (state !== 'running') return lost === '' ? state : `${state}, ${lost}`
  return [
    attempt > 1 && `attempt ${attempt}`,
    stage ?? state,
    files.total > 1 && `${files.done.toLocaleString('en')} of ${counted(files.total, 'file')}`,
    lost !== '' && lost,
    questions !== undefined &&
      `${questions.done.toLocaleString('en')} of ${counted(questions.total, 'question')}`,
    points
      ? `${points.compared.toLocaleString('en')} of ${counted(points.total, 'point')}, ${points.found.toLocaleString('en')} to mend`
      : questions === undefined && counted(chunks.seen, 'chunk'),
    points !== undefined && chunks.embedded > 0 && `${counted(chunks.embedded, 'text')} embedded`,
    rate !== null && `${Math.round(rate).toLocaleString('en')}/s`,
    waiting === undefined && etaSeconds !== null && `${readableTime(etaSeconds * 1000)} left`,
    waiting !== undefined && waitingText(waiting),
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

/** What a running job waits for: `waiting for OpenSearch: 429, 2 min`. */
function waitingText({ server, reason, since }: NonNullable<JobAnswer['waiting']>): string {
  const ms = Math.max(0, Date.now() - Date.parse(since))
  return `waiting for ${server}: ${reason}, ${readableTime(ms)}`
}
