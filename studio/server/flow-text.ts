import type { ReadFlowTextAnswer, TextProblem, TextSpanAnswer } from '../../src/api/flow-text.ts'
import { call } from './call.ts'

export type FlowText = ReadFlowTextAnswer
export type ProblemInLines = TextProblem
export type SpanInText = TextSpanAnswer

/** The text of a drawing, with its problems at their lines. @throws ServerFailure */
export const writeFlowText = (flowData: object, signal?: AbortSignal): Promise<FlowText> =>
  call('/api/v1/flows/text', { method: 'POST', body: { flowData }, ...(signal ? { signal } : {}) })

/** What a text makes of a drawing. @throws ServerFailure */
export const readFlowText = (text: string, flowData: object, signal?: AbortSignal): Promise<FlowText> =>
  call('/api/v1/flows/text', { method: 'POST', body: { text, flowData }, ...(signal ? { signal } : {}) })
