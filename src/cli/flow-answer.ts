import { isObject, type Json, parseJson } from '../kit/json.ts'
import { Failure } from './failure.ts'
import type { Client } from './http.ts'

/** What is read of a flow in an answer; `flowData` is JSON text of `{nodes, edges}`. */
export type FlowAnswer = {
  id: string
  slug?: string
  name: string
  type?: string
  apikeyid?: string | null
  updatedDate?: string
  flowData: string
}

type FlowNode = { id: string; data?: { name?: string; label?: string } }

export const flowPath = (flow: string): string => `chatflows/${encodeURIComponent(flow)}`

/** @throws Failure where there is no such flow */
export async function fetchFlow(client: Client, flow: string): Promise<FlowAnswer & Json> {
  const answer = await client.send('GET', flowPath(flow))
  if (!isObject(answer) || typeof answer.flowData !== 'string')
    throw new Failure('The server’s answer is not a flow')
  return answer as FlowAnswer & Json
}

/** The drawing of a flow. @throws Failure where it cannot be read */
export function drawingOf({ name, flowData }: FlowAnswer): { nodes: FlowNode[]; edges: Json[] } {
  const drawing = parseJson(flowData)
  if (!isObject(drawing) || !Array.isArray(drawing.nodes) || !Array.isArray(drawing.edges))
    throw new Failure(`The flow ${name} holds no drawing`)
  return drawing as { nodes: FlowNode[]; edges: Json[] }
}
