import {
  abandonOpenRuns,
  abandonRun,
  openRun,
  openRunInIndex,
  removeIndex,
  setDimensions,
} from '../ledger/indexes.ts'
import { openRebuild, retireStaleRebuild, switchIndex } from '../ledger/rebuild.ts'
import type { SqlWrite } from '../sql/session.ts'
import { publishRun } from './publish.ts'
import { forgetExpiredRemoval, restageRemoved } from './removed-sources.ts'
import { stageChunks } from './stage.ts'
import { sweepIndex, sweepRetired } from './sweep.ts'
import { beginImage, forgetImage, noteImage } from './vector-images.ts'
import { forgetValues, keepValues } from './value-blocks.ts'
import type { Write } from './write.ts'
import { REPOSITORY_WRITES } from '../repositories/writes.ts'
import { onThread } from './sql.ts'

/** The writes of the ledger that both databases have. */
const LEDGER_WRITES: readonly SqlWrite<never, unknown>[] = [
  abandonOpenRuns,
  abandonRun,
  openRebuild,
  openRun,
  openRunInIndex,
  removeIndex,
  retireStaleRebuild,
  setDimensions,
  switchIndex,
]

/** Every write operation by name: the writing thread receives the name and the request. */
export const WRITES: ReadonlyMap<string, Write<never, unknown>> = new Map(
  [
    beginImage,
    forgetExpiredRemoval,
    forgetImage,
    forgetValues,
    keepValues,
    noteImage,
    publishRun,
    restageRemoved,
    stageChunks,
    sweepIndex,
    sweepRetired,
    ...[...LEDGER_WRITES, ...REPOSITORY_WRITES].map(onThread),
  ].map((write) => [write.name, write]),
)
