import { insertApiKey, removeApiKey, updateApiKey } from './api-keys.ts'
import { insertCredential, removeCredential, updateCredential } from './credentials.ts'
import { insertFlow, removeFlow, updateFlow } from './flows.ts'
import { addHistory } from './history.ts'
import { abandonOpenRuns, abandonRun, openRun, removeIndex, setDimensions } from './indexes.ts'
import { publishRun } from './publish.ts'
import {
  beginJob,
  endJob,
  insertJob,
  noteJob,
  pruneJobs,
  recoverJobs,
  requeueJob,
  retryJob,
} from './job-writes.ts'
import { keepSetting } from './settings.ts'
import { stageChunks } from './stage.ts'
import { sweepIndex } from './sweep.ts'
import type { Write } from './write.ts'

/** Everything that can be written, by name: the writing thread is told a name and what to do it with. */
export const WRITES: ReadonlyMap<string, Write<never, unknown>> = new Map(
  [
    abandonOpenRuns,
    abandonRun,
    addHistory,
    beginJob,
    endJob,
    insertApiKey,
    insertCredential,
    insertFlow,
    insertJob,
    keepSetting,
    noteJob,
    openRun,
    pruneJobs,
    publishRun,
    recoverJobs,
    removeApiKey,
    removeCredential,
    removeFlow,
    removeIndex,
    requeueJob,
    retryJob,
    setDimensions,
    stageChunks,
    sweepIndex,
    updateApiKey,
    updateCredential,
    updateFlow,
  ].map((write) => [write.name, write]),
)
