import type { JobRecord } from '../../contract/job.ts'
import type { UploadShelf } from '../../contract/upload-shelf.ts'
import { type ErrorCode, reasonOf, SluiceError } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import { untilSuccess } from '../../kit/until-success.ts'

/** The place of the uploads cannot be used now, or is not the right one: what is in it is not lost. */
const AWAY: readonly ErrorCode[] = ['blob_failed', 'blob_place_wrong']

/** A job whose state has changed more often is not queued again after an interruption: it fails. */
export const MOST_CHANGES = 40

export const isAway = (error: unknown): boolean => error instanceof SluiceError && AWAY.includes(error.code)

/** Whether uploads can be read from where they are, as far as jobs have found out. */
export type UploadsAway = {
  /** Whether they could not be read, and no look has found the place again. */
  readonly now: boolean
  /** Notes that a job could not read its uploads. From now on the place is looked for, until it is found. */
  note(error: SluiceError): void
  /** Notes that a job has read its uploads. */
  noteRead(): void
  /** Whether a job has to wait for the place: its uploads are there and not on this server. */
  keeps(record: Pick<JobRecord, 'folder'>): Promise<boolean>
  /** The folders that jobs can use without the place; undefined while nothing speaks against it. */
  usable(): Promise<string[] | undefined>
  close(): void
}

/** @param onBack called when the place is there again */
export function watchUploads(
  { shelf, log }: { shelf: Pick<UploadShelf, 'checkNow' | 'copies'>; log: Log },
  onBack: () => void,
): UploadsAway {
  let isNow = false
  let closed = false
  const looks = untilSuccess(async () => {
    await shelf.checkNow()
    if (closed) return
    isNow = false
    log.info('uploads-back')
    onBack()
  })

  return {
    get now() {
      return isNow
    },
    note(error) {
      if (isNow || closed) return
      isNow = true
      const message =
        'jobs whose files are in the upload store wait in the queue until it is there; all others go on'
      log.warn('uploads-away', { message, reason: reasonOf(error) })
      looks.start()
    },
    noteRead: looks.calm,
    keeps: async ({ folder }) => isNow && folder !== null && !(await shelf.copies()).includes(folder),
    usable: async () => (isNow ? shelf.copies() : undefined),
    close() {
      closed = true
      looks.end()
    },
  }
}
