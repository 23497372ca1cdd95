import type { AgentEvent, AgentOutcome, ExecutedNode, PendingAction, UsedTool } from '../../contract/agent.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'

/*
 * Requests and answers of tools name services inside the network of the server, and hold texts that the author of a flow did
 * not mean for visitors. So only managers get them; stored messages and executions have them, which only managers read.
 */

/** The event for a caller that is not a manager; undefined for an event that only managers get. */
export function eventForVisitor(event: AgentEvent): AgentEvent | undefined {
  switch (event.event) {
    case 'toolResult':
      return undefined
    case 'calledTools':
    case 'usedTools':
      return { ...event, data: event.data.map(withoutTrace) }
    case 'agentFlowExecutedData':
      return { ...event, data: event.data.map(nodeForVisitor) }
    case 'action':
      return { ...event, data: actionForVisitor(event.data) }
    default:
      return event
  }
}

/** The result of a run for a caller that is not a manager. */
export function outcomeForVisitor(outcome: AgentOutcome): AgentOutcome {
  const { usedTools, action, agentFlowExecutedData } = outcome
  return {
    ...outcome,
    ...(usedTools ? { usedTools: usedTools.map(withoutTrace) } : {}),
    ...(action ? { action: actionForVisitor(action) } : {}),
    ...(agentFlowExecutedData ? { agentFlowExecutedData: agentFlowExecutedData.map(nodeForVisitor) } : {}),
  }
}

const withoutTrace = ({ trace: _, ...used }: UsedTool): UsedTool => used

function nodeForVisitor(node: ExecutedNode): ExecutedNode {
  const { output } = node.data
  if (!isObject(output) || !Array.isArray(output.usedTools)) return node
  const usedTools = output.usedTools.map((used) => without(used as Json, 'trace'))
  return { ...node, data: { ...node.data, output: { ...output, usedTools } as JsonObject } }
}

function actionForVisitor(action: PendingAction): PendingAction {
  const { input } = action.data
  if (!isObject(input) || !Array.isArray(input.toolCalls)) return action
  const toolCalls = input.toolCalls.map((call) => without(call as Json, 'request'))
  return { ...action, data: { ...action.data, input: { ...input, toolCalls } as JsonObject } }
}

function without(value: Json, name: string): Json {
  if (!isObject(value)) return value
  const { [name]: _, ...rest } = value
  return rest as JsonObject
}
