import type { ExecutedNode } from '../../contract/agent.ts'
import type {
  ExecutionFailure,
  ExecutionKind,
  ExecutionState,
  ExecutionSummary,
  FlowExecution,
  StoredExecution,
} from '../../contract/flow-execution-store.ts'
import type { RunSpan } from '../../contract/run-span.ts'
import type { StoredRow } from './stored-row.ts'

/** Why an execution of a process that is gone did not end. */
export const LOST: ExecutionFailure = { code: 'lost', message: 'The server ended before the answer did' }

/** The most characters of a question that are read with an execution. */
const QUESTION_LENGTH = 400

/** The columns of an {@link ExecutionSummary}. @param arrayLength the function of the database for the length of JSON text */
export const executionHeadColumns = (arrayLength: (column: string) => string): string =>
  `id, kind, flow_id, question_id, chat_id, session_id, state, failure, created_at, updated_at, ${EXECUTION_QUESTION},
   CASE kind WHEN 'CHATFLOW' THEN ${arrayLength('spans')} + omitted_spans ELSE ${arrayLength('nodes')} END AS steps`

/** The question of an execution, as a column. */
export const EXECUTION_QUESTION = `(SELECT substr(content, 1, ${QUESTION_LENGTH}) FROM chat_messages
   WHERE chat_messages.id = executions.question_id) AS question`

export const executionFromRow = (row: StoredRow): FlowExecution => ({
  ...headOf(row),
  nodes: JSON.parse(row.nodes as string) as ExecutedNode[],
  spans: JSON.parse(row.spans as string) as RunSpan[],
  omittedSpans: row.omitted_spans as number,
})

export const storedExecution = (row: StoredRow): StoredExecution => ({
  ...executionFromRow(row),
  question: row.question as string,
})

export const executionSummary = (row: StoredRow): ExecutionSummary => ({
  ...headOf(row),
  question: row.question as string,
  steps: row.steps as number,
})

const headOf = (row: StoredRow) => ({
  id: row.id as string,
  kind: row.kind as ExecutionKind,
  flowId: row.flow_id as string,
  questionId: row.question_id as string,
  chatId: row.chat_id as string,
  sessionId: row.session_id as string,
  state: row.state as ExecutionState,
  ...(row.failure === null ? {} : { failure: JSON.parse(row.failure as string) as ExecutionFailure }),
  createdAt: row.created_at as number,
  updatedAt: row.updated_at as number,
})
