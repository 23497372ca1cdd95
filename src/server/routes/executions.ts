import {
  type ExecutionAnswer,
  executionListQuery,
  executionPage,
  executionRemoval,
  executionShape,
} from '../../api/execution.ts'
import { idParams } from '../../api/params.ts'
import type {
  ExecutionState,
  ExecutionSummary,
  StoredExecution,
} from '../../contract/flow-execution-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { toRange } from '../../kit/paging.ts'
import { requestedRange, MANAGEMENT, isoTime, removalAnswer, removedRows } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { titleOf } from '../runs/title-of.ts'
import { findFlow } from '../../flow/find-flow.ts'

/** Runs of flows. They contain texts of users: only managers read them. */
export function executionRoutes({ executions, flows }: Platform): Route[] {
  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/executions',
      summary:
        'Runs of flows, newest first, with the input and output of each node and the times of what they did',
      query: executionListQuery,
      answer: { description: 'A page of executions', shape: executionPage },
      async handle({ query }) {
        const { id, kind, agentflowId, sessionId, state, search } = query
        const flow = agentflowId === undefined ? undefined : await findFlow(flows, agentflowId)
        const filter = {
          ...{ id, kind, flowId: flow?.id, sessionId, state, search },
          ...requestedRange(query),
        }
        const range = toRange(query)
        if (query.summary) {
          const { rows, total } = await executions.summaries(filter, range)
          return { data: rows.map(present), total }
        }
        const { rows, total } = await executions.list(filter, range)
        return { data: rows.map(withSteps), total }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/executions/:id',
      summary: 'One run of a flow',
      params: idParams,
      answer: { description: 'The execution', shape: executionShape },
      async handle({ params }) {
        const execution = await executions.find(params.id)
        if (!execution) throw new SluiceError('execution_not_found', { id: params.id })
        return withSteps(execution)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/executions/:id',
      summary: 'Delete the record of a run; its messages stay',
      params: idParams,
      answer: removalAnswer,
      async handle({ params }) {
        const count = await executions.remove([params.id])
        if (count === 0) throw new SluiceError('execution_not_found', { id: params.id })
        return removedRows(count)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/executions',
      summary: 'Delete the records of several runs',
      body: executionRemoval,
      answer: removalAnswer,
      handle: async ({ body }) => removedRows(await executions.remove(body.executionIds)),
    }),
  ]
}

const withSteps = ({ nodes, spans, omittedSpans, ...row }: StoredExecution): ExecutionAnswer => {
  // What a lost server was doing is in its last state: nothing of it goes on.
  const ended = row.state !== 'INPROGRESS' && row.state
  const shown = <Part extends { status: ExecutionState }>(part: Part): Part =>
    ended && part.status === 'INPROGRESS' ? { ...part, status: ended } : part
  return {
    ...present({ ...row, steps: row.kind === 'CHATFLOW' ? spans.length + omittedSpans : nodes.length }),
    executionData: nodes.map(shown),
    spans: spans.map((span) => {
      const { start, ...shownSpan } = shown(span)
      return { ...shownSpan, offset: Math.max(0, start - row.createdAt) }
    }),
    omittedSpans,
  }
}

const present = ({
  flowId,
  question,
  createdAt,
  updatedAt,
  questionId: _,
  ...row
}: ExecutionSummary): ExecutionAnswer => ({
  ...row,
  agentflowId: flowId,
  title: titleOf(question),
  executionData: [],
  spans: [],
  omittedSpans: 0,
  createdDate: isoTime(createdAt),
  updatedDate: isoTime(updatedAt),
})
