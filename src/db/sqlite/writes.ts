import { hideFlow, restoreFlow } from './deleted-flows.ts'
import { removeFlow } from './flows.ts'
import {
  abandonOpenRuns,
  abandonRun,
  openRun,
  openRunInIndex,
  removeIndex,
  setDimensions,
} from './indexes.ts'
import { publishRun } from './publish.ts'
import { pruneJobs, recoverJobs, retryJob } from './job-writes.ts'
import { openRebuild, retireStaleRebuild, switchIndex } from './rebuild.ts'
import { forgetExpiredRemoval, restageRemoved } from './removed-sources.ts'
import { stageChunks } from './stage.ts'
import { sweepIndex, sweepRetired } from './sweep.ts'
import { beginImage, forgetImage, noteImage } from './vector-images.ts'
import { forgetValues, keepValues } from './value-blocks.ts'
import type { Write } from './write.ts'
import { REPOSITORY_WRITES } from '../repositories/writes.ts'
import { onThread } from './sql.ts'

/** Every write operation by name: the writing thread receives the name and the request. */
export const WRITES: ReadonlyMap<string, Write<never, unknown>> = new Map(
  [
    abandonOpenRuns,
    abandonRun,
    beginImage,
    hideFlow,
    forgetExpiredRemoval,
    forgetImage,
    forgetValues,
    keepValues,
    noteImage,
    openRebuild,
    openRun,
    openRunInIndex,
    pruneJobs,
    publishRun,
    recoverJobs,
    removeFlow,
    removeIndex,
    restoreFlow,
    restageRemoved,
    retireStaleRebuild,
    retryJob,
    setDimensions,
    stageChunks,
    sweepIndex,
    sweepRetired,
    switchIndex,
    ...REPOSITORY_WRITES.map(onThread),
  ].map((write) => [write.name, write]),
)
