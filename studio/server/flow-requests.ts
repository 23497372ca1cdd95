import type { FlowRequestsAnswer } from '../../src/api/flow-requests.ts'
import { call } from './call.ts'

export type FlowRequests = FlowRequestsAnswer

/** The requests that a flow takes, and every input with whether a request may override it. */
export const getFlowRequests = (id: string): Promise<FlowRequests> =>
  call(`/api/v1/chatflows/${encodeURIComponent(id)}/requests`)
