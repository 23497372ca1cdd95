import { MANAGEMENT, isoTime, removalAnswer, removedRows } from '../management.ts'
import { executionListQuery, executionPage, executionRemoval, executionShape } from '../../api/execution.ts'
import { idParams } from '../../api/params.ts'
import type { FlowExecution } from '../../contract/flow-execution-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { toRange } from '../../kit/paging.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

/** What agent flows did. It holds texts of users, so that only managers read it, as they do messages. */
export function executionRoutes({ executions, flows }: Platform): Route[] {
  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/executions',
      summary: 'What agent flows did, newest first, with what each node took and gave',
      query: executionListQuery,
      answer: { description: 'A page of executions', shape: executionPage },
      async handle({ query }) {
        const { id, agentflowId, sessionId, state, startDate, endDate } = query
        const flow = agentflowId === undefined ? undefined : await flows.find(agentflowId)
        if (agentflowId !== undefined && !flow) throw new SluiceError('flow_not_found', { flow: agentflowId })
        const filter = {
          id,
          flowId: flow?.id,
          sessionId,
          state,
          from: startDate === undefined ? undefined : Date.parse(startDate),
          to: endDate === undefined ? undefined : Date.parse(endDate),
        }
        const { rows, total } = await executions.list(filter, toRange(query))
        return { data: rows.map(present), total }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/executions/:id',
      summary: 'What one run of an agent flow did',
      params: idParams,
      answer: { description: 'The execution', shape: executionShape },
      async handle({ params }) {
        const execution = await executions.find(params.id)
        if (!execution) throw new SluiceError('execution_not_found', { id: params.id })
        return present(execution)
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

const present = ({ id, flowId, sessionId, chatId, state, nodes, createdAt, updatedAt }: FlowExecution) => ({
  id,
  agentflowId: flowId,
  sessionId,
  chatId,
  state,
  executionData: nodes,
  createdDate: isoTime(createdAt),
  updatedDate: isoTime(updatedAt),
})
