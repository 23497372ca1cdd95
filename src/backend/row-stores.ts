import { apiKeyStore } from '../db/repositories/api-keys.ts'
import { auditStore } from '../db/repositories/audit.ts'
import { enginePlaceStore } from '../db/repositories/engine-places.ts'
import { feedbackStore } from '../db/repositories/chat-feedback.ts'
import { chatMessageStore } from '../db/repositories/chat-messages.ts'
import { chunkEditStore } from '../db/repositories/chunk-edits.ts'
import { credentialStore } from '../db/repositories/credentials.ts'
import { customToolStore } from '../db/repositories/custom-tools.ts'
import { failedFileStore } from '../db/repositories/failed-files.ts'
import { flowStateStore } from '../db/repositories/flow-states.ts'
import { flowDraftStore } from '../db/repositories/flow-drafts.ts'
import { flowStore } from '../db/repositories/flows.ts'
import { historyStore } from '../db/repositories/history.ts'
import { leadStore } from '../db/repositories/leads.ts'
import { originalStore } from '../db/repositories/originals.ts'
import { pausedRunStore } from '../db/repositories/paused-runs.ts'
import { questionStore } from '../db/repositories/questions.ts'
import { sessionStore } from '../db/repositories/sessions.ts'
import { settingStore } from '../db/repositories/settings.ts'
import { variableStore } from '../db/repositories/variables.ts'
import type { SqlDatabase } from '../db/sql/session.ts'
import type { SecretBox } from '../kit/secret-box.ts'

/** The stores of rows, which are the same over both databases. */
export const rowStores = (sql: SqlDatabase) => ({
  settings: settingStore(sql),
  flows: flowStore(sql),
  flowDrafts: flowDraftStore(sql),
  keys: apiKeyStore(sql),
  sessions: sessionStore(sql),
  audit: auditStore(sql),
  variables: variableStore(sql),
  customTools: customToolStore(sql),
  history: historyStore(sql),
  failedFiles: failedFileStore(sql),
  chunkEdits: chunkEditStore(sql),
  messages: chatMessageStore(sql),
  pausedRuns: pausedRunStore(sql),
  flowStates: flowStateStore(sql),
  feedback: feedbackStore(sql),
  leads: leadStore(sql),
  originals: originalStore(sql),
  questions: questionStore(sql),
  credentials: (box: SecretBox) => credentialStore(sql, box),
  enginePlaces: (box: SecretBox) => enginePlaceStore(sql, box),
})

export type RowStores = Readonly<ReturnType<typeof rowStores>>
