import type { Fence } from '../contract/fence.ts'
import { FENCE_ID_LENGTH } from '../documents/fence.ts'
import { randomId } from '../kit/hash.ts'

/** A new id of a job, random. It ends with the id of the fence, so that only callers within it find the job. */
export const newJobId = (fence: string | undefined): string =>
  fence === undefined ? randomId() : `${randomId()}-${fence}`

/** Whether a caller within a fence may see a job. A caller without a fence may see all. */
export const isJobWithin = (jobId: string, fence: Fence | undefined): boolean =>
  fence === undefined || jobId.endsWith(`-${fence.id}`)

/** The id of the fence of a job, by its id; an empty text outside of fences. */
export const fenceOfJob = (jobId: string): string =>
  new RegExp(`-([0-9a-f]{${FENCE_ID_LENGTH}})$`).exec(jobId)?.[1] ?? ''
