import type { FlowProblemAnswer } from '../../src/api/flow-problem.ts'
import { call } from './call.ts'

export type FlowProblem = FlowProblemAnswer

/** What keeps a drawing from running; it need not be stored. @throws ServerFailure */
export const findFlowProblems = async (flowData: object, signal: AbortSignal): Promise<FlowProblem[]> =>
  (
    await call<{ problems: FlowProblem[] }>('/api/v1/flows/validate', {
      method: 'POST',
      body: { flowData },
      signal,
    })
  ).problems
