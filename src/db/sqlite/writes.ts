import { addAudit } from './audit.ts'
import { insertApiKey, noteKeyUse, removeApiKey, rotateApiKey, takeQuota, updateApiKey } from './api-keys.ts'
import { putFeedback, updateFeedback } from './chat-feedback.ts'
import { claimConversation, forgetClaims } from './chat-claims.ts'
import { insertAnswer, insertQuestion, noteQuestionFailure, removeMessages } from './chat-messages.ts'
import { insertCredential, noteCredentialUse, removeCredential, updateCredential } from './credentials.ts'
import { forgetFailedFiles } from './failed-files.ts'
import { putPausedRun, removePausedRun } from './paused-runs.ts'
import { endLostExecutions, keepExecution, removeExecutions } from './flow-executions.ts'
import { hideFlow, restoreFlow } from './deleted-flows.ts'
import { insertFlow, removeFlow, updateFlow } from './flows.ts'
import { addHistory, removeHistory } from './history.ts'
import {
  abandonOpenRuns,
  abandonRun,
  openRun,
  openRunInIndex,
  removeIndex,
  setDimensions,
} from './indexes.ts'
import { addLead, removeLeadsBefore } from './leads.ts'
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
import { openRebuild, retireStaleRebuild, switchIndex } from './rebuild.ts'
import { keepSetting, removeSetting } from './settings.ts'
import {
  confirmSession,
  insertSession,
  insertSignInCode,
  noteSessionUse,
  removeAllSessions,
  removeExpiredSessions,
  removeSession,
  rotateSession,
  takeSignInCode,
} from './sessions.ts'
import { forgetOriginals } from './originals.ts'
import { forgetExpiredRemoval, restageRemoved } from './removed-sources.ts'
import { stageChunks } from './stage.ts'
import { sweepIndex, sweepRetired } from './sweep.ts'
import { beginImage, forgetImage, noteImage } from './vector-images.ts'
import { forgetValues, keepValues } from './value-blocks.ts'
import { insertVariable, removeVariable, updateVariable } from './variables.ts'
import type { Write } from './write.ts'

/** Every write operation by name: the writing thread receives the name and the request. */
export const WRITES: ReadonlyMap<string, Write<never, unknown>> = new Map(
  [
    abandonOpenRuns,
    abandonRun,
    addAudit,
    addHistory,
    addLead,
    removeLeadsBefore,
    beginImage,
    beginJob,
    claimConversation,
    confirmSession,
    hideFlow,
    endJob,
    forgetClaims,
    forgetFailedFiles,
    endLostExecutions,
    forgetExpiredRemoval,
    forgetImage,
    forgetOriginals,
    forgetValues,
    insertAnswer,
    insertApiKey,
    insertCredential,
    insertFlow,
    insertJob,
    insertQuestion,
    insertSession,
    insertSignInCode,
    insertVariable,
    keepExecution,
    putPausedRun,
    keepSetting,
    keepValues,
    noteCredentialUse,
    noteImage,
    noteJob,
    noteKeyUse,
    noteQuestionFailure,
    noteSessionUse,
    openRebuild,
    openRun,
    openRunInIndex,
    pruneJobs,
    publishRun,
    putFeedback,
    recoverJobs,
    removeAllSessions,
    removeApiKey,
    removeCredential,
    removeExecutions,
    removeExpiredSessions,
    removeFlow,
    removeHistory,
    removeIndex,
    removeMessages,
    removeSession,
    removeSetting,
    removeVariable,
    requeueJob,
    restoreFlow,
    restageRemoved,
    retireStaleRebuild,
    retryJob,
    rotateApiKey,
    takeQuota,
    rotateSession,
    setDimensions,
    stageChunks,
    sweepIndex,
    sweepRetired,
    switchIndex,
    removePausedRun,
    takeSignInCode,
    updateApiKey,
    updateCredential,
    updateFeedback,
    updateFlow,
    updateVariable,
  ].map((write) => [write.name, write]),
)
