import { executionListQuery, executionPage, executionRemoval, executionShape } from '../../api/execution.ts'
import { idParams } from '../../api/params.ts'
import type { ExecutedNode } from '../../contract/agent.ts'
import type { ExecutionSummary, FlowExecution } from '../../contract/flow-execution-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { toRange } from '../../kit/paging.ts'
import { requestedRange, MANAGEMENT, isoTime, removalAnswer, removedRows } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../stored-flow.ts'

/** Runs of agent flows. They contain texts of users: only managers read them. */
export function executionRoutes({ executions, flows }: Platform): Route[] {
  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/executions',
      summary: 'Runs of agent flows, newest first, with the input and output of each node',
      query: executionListQuery,
      answer: { description: 'A page of executions', shape: executionPage },
      async handle({ query }) {
        const { id, agentflowId, sessionId, state } = query
        const flow = agentflowId === undefined ? undefined : await findFlow(flows, agentflowId)
        const filter = {
          id,
          flowId: flow?.id,
          sessionId,
          state,
          ...requestedRange(query),
        }
        const range = toRange(query)
        if (query.summary) {
          const { rows, total } = await executions.summaries(filter, range)
          return { data: rows.map((row) => present(row, [])), total }
        }
        const { rows, total } = await executions.list(filter, range)
        return { data: rows.map(withNodes), total }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/executions/:id',
      summary: 'One run of an agent flow',
      params: idParams,
      answer: { description: 'The execution', shape: executionShape },
      async handle({ params }) {
        const execution = await executions.find(params.id)
        if (!execution) throw new SluiceError('execution_not_found', { id: params.id })
        return withNodes(execution)
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

const withNodes = ({ nodes, ...row }: FlowExecution) => present({ ...row, steps: nodes.length }, nodes)

const present = (
  { id, flowId, sessionId, chatId, state, steps, createdAt, updatedAt }: ExecutionSummary,
  nodes: readonly ExecutedNode[],
) => ({
  id,
  agentflowId: flowId,
  sessionId,
  chatId,
  state,
  executionData: nodes,
  steps,
  createdDate: isoTime(createdAt),
  updatedDate: isoTime(updatedAt),
})
