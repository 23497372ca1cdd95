import type { SqlWrite } from '../sql/session.ts'
import { insertApiKey, noteKeyUse, removeApiKey, rotateApiKey, takeQuota, updateApiKey } from './api-keys.ts'
import { addAudit } from './audit.ts'
import { removeChunkEdit } from './chunk-edits.ts'
import { claimConversation, removeClaims } from './chat-claims.ts'
import { putFeedback, updateFeedback } from './chat-feedback.ts'
import { insertAnswer, insertQuestion, noteQuestionFailure, removeMessages } from './chat-messages.ts'
import { insertCredential, noteCredentialUse, removeCredential, updateCredential } from './credentials.ts'
import { hideFlow, removeFlow, restoreFlow } from './deleted-flows.ts'
import { keepEnginePlace, removeUnusedPlaces } from './engine-places.ts'
import { removeFailedFiles } from './failed-files.ts'
import { endLostExecutions, keepExecution, removeExecutions } from './flow-executions.ts'
import { publishFlowDraft, removeFlowDraft, saveFlowDraft } from './flow-drafts.ts'
import { insertFlow, updateFlow } from './flows.ts'
import { addHistory, removeHistory } from './history.ts'
import { sweepJobs, recoverJobs, retryJob } from './job-retries.ts'
import { beginJob, endJob, insertJob, noteJob, requeueJob } from './job-writes.ts'
import { insertCustomTool, removeCustomTool, updateCustomTool } from './custom-tools.ts'
import { addLead, removeLeadsBefore } from './leads.ts'
import { removeOriginals } from './originals.ts'
import { putFlowState } from './flow-states.ts'
import { keepQuestionRun } from './question-runs.ts'
import { changeQuestion, putQuestions, removeQuestions } from './questions.ts'
import { putPausedRun, removePausedRun } from './paused-runs.ts'
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
import { keepSetting, removeSetting } from './settings.ts'
import { insertVariable, removeVariable, updateVariable } from './variables.ts'

/** Every write of the repositories: the writing thread of SQLite finds them by their names. */
export const REPOSITORY_WRITES: readonly SqlWrite<never, unknown>[] = [
  addAudit,
  addHistory,
  addLead,
  beginJob,
  changeQuestion,
  claimConversation,
  confirmSession,
  endJob,
  endLostExecutions,
  removeChunkEdit,
  removeClaims,
  removeFailedFiles,
  removeOriginals,
  hideFlow,
  insertAnswer,
  insertApiKey,
  insertCredential,
  insertCustomTool,
  insertFlow,
  insertJob,
  insertQuestion,
  insertSession,
  insertSignInCode,
  insertVariable,
  keepEnginePlace,
  keepExecution,
  keepQuestionRun,
  keepSetting,
  noteCredentialUse,
  noteJob,
  noteKeyUse,
  noteQuestionFailure,
  noteSessionUse,
  sweepJobs,
  publishFlowDraft,
  putFeedback,
  putFlowState,
  putPausedRun,
  putQuestions,
  recoverJobs,
  removeAllSessions,
  removeApiKey,
  removeCredential,
  removeCustomTool,
  removeExecutions,
  removeExpiredSessions,
  removeFlow,
  removeFlowDraft,
  removeHistory,
  removeLeadsBefore,
  removeMessages,
  removePausedRun,
  removeQuestions,
  removeSession,
  removeSetting,
  removeUnusedPlaces,
  removeVariable,
  requeueJob,
  restoreFlow,
  retryJob,
  rotateApiKey,
  rotateSession,
  saveFlowDraft,
  takeQuota,
  takeSignInCode,
  updateApiKey,
  updateCredential,
  updateCustomTool,
  updateFeedback,
  updateFlow,
  updateVariable,
]
