import {
  abandonOpenRuns,
  abandonRun,
  openRun,
  openRunInIndex,
  removeIndex,
  setDimensions,
} from '../ledger/indexes.ts'
import { noteRemoved } from '../ledger/removed-collection.ts'
import { openRebuild, removeStaleRebuild, switchIndex } from '../ledger/rebuild.ts'
import type { SqlWrite } from '../sql/session.ts'
import { publishRun, stageChunks, sweepIndex, sweepRemovedIndex } from './run-writes.ts'
import { endExpiredRemoval, restageRemoved } from './removed-sources.ts'
import { beginImage, dropImage, noteImage } from './vector-images.ts'
import { dropValues, keepValues } from './value-blocks.ts'
import type { Write } from './write.ts'
import { REPOSITORY_WRITES } from '../repositories/writes.ts'
import { onThread } from './sql.ts'

/** The writes of the ledger that both databases have. */
const LEDGER_WRITES: readonly SqlWrite<never, unknown>[] = [
  abandonOpenRuns,
  abandonRun,
  noteRemoved,
  openRebuild,
  openRun,
  openRunInIndex,
  removeIndex,
  removeStaleRebuild,
  setDimensions,
  switchIndex,
]

/** Every write operation by name: the writing thread receives the name and the request. */
export const WRITES: ReadonlyMap<string, Write<never, unknown>> = new Map(
  [
    beginImage,
    endExpiredRemoval,
    dropImage,
    dropValues,
    keepValues,
    noteImage,
    publishRun,
    restageRemoved,
    stageChunks,
    sweepIndex,
    sweepRemovedIndex,
    ...[...LEDGER_WRITES, ...REPOSITORY_WRITES].map(onThread),
  ].map((write) => [write.name, write]),
)
