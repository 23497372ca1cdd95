import { setImmediate } from 'node:timers/promises'
import type { JobFailuresAnswer } from '../api/job-file.ts'
import { groupFailures } from '../kit/file-reason.ts'
import type { Jobs } from '../jobs/jobs.ts'

/** How many files are read at once, and how many reasons an answer has. */
const PAGE = 1000
const MOST_REASONS = 100

/** The failed files of a job by their reasons. @throws SluiceError `job_not_found` */
export async function failuresOf(jobs: Pick<Jobs, 'files'>, id: string): Promise<JobFailuresAnswer> {
  const groups: Parameters<typeof groupFailures>[1] = new Map()
  for (let offset = 0; ; offset += PAGE) {
    const { rows, total } = await jobs.files(id, { state: 'failed', offset, limit: PAGE })
    groupFailures(rows, groups)
    if (rows.length < PAGE) {
      const reasons = [...groups.values()].toSorted((a, b) => b.files - a.files).slice(0, MOST_REASONS)
      return { total, reasons }
    }
    await setImmediate()
  }
}
