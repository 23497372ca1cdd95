import type { PendingAction } from '../contract/agent.ts'
import type { ToolCall } from '../contract/chat-model.ts'
import type { PausedRun, PausedRunStore } from '../contract/paused-run-store.ts'
import type { Tool } from '../contract/tool.ts'
import type { FlowNode } from '../flow/graph.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import type { HumanInput } from './prediction.ts'
import { parseCallInput } from './tool-calls.ts'

/** The buttons and the data that clients of Flowise show to a person who must decide. */
export const createPendingAction = (node: FlowNode, input: JsonObject): PendingAction => ({
  id: randomId(),
  mapping: { approve: 'Proceed', reject: 'Reject' },
  elements: [
    { type: 'agentflowv2-approve-button', label: 'Proceed' },
    { type: 'agentflowv2-reject-button', label: 'Reject' },
  ],
  data: { nodeId: node.id, nodeLabel: node.label, input },
})

/** The text and the buttons that ask a person to approve a tool call. */
export function approvalRequest(
  call: ToolCall,
  node: FlowNode,
  tools: ReadonlyMap<string, Tool>,
): { text: string; action: PendingAction } {
  const toolInput = parseCallInput(call)
  const request = tools.get(call.name)?.preview?.(toolInput)
  const inputText = JSON.stringify(toolInput, null, 2)
  return {
    text: `Attempting to use the tool ${call.name}:\n\n\`\`\`json\n${inputText}\n\`\`\`\n\nGo on?`,
    action: createPendingAction(node, {
      toolCalls: [{ tool: call.name, toolInput, ...(request ? { request } : {}) }],
    }),
  }
}

/**
 * A flow that another flow calls cannot wait for a person: its question would not be shown.
 *
 * @throws SluiceError `flow_cannot_answer`
 */
export function refuseInNestedFlow(callingFlows: readonly string[] = []): void {
  if (callingFlows.length === 0) return
  throw new SluiceError('flow_cannot_answer', {
    reason: 'a flow that another flow calls cannot wait for a person',
  })
}

/** Finds the run that waits for a person's decision. @throws SluiceError `nothing_waits` */
export async function findPausedRun(
  pausedRuns: PausedRunStore,
  flowId: string,
  sessionId: string,
  { startNodeId }: HumanInput,
  nodes: ReadonlyMap<string, FlowNode>,
): Promise<PausedRun> {
  const paused = await pausedRuns.find(flowId, sessionId)
  const matches = paused && [paused.nodeId, undefined].includes(startNodeId) && nodes.has(paused.nodeId)
  if (!matches) throw new SluiceError('nothing_waits')
  return paused
}

/**
 * Removes a paused run from the store and returns its state. Only one caller gets it, so an approved action runs once.
 *
 * @throws SluiceError `nothing_waits`
 */
export async function takePausedRun<State>(pausedRuns: PausedRunStore, paused: PausedRun): Promise<State> {
  if (!(await pausedRuns.take(paused.id))) throw new SluiceError('nothing_waits')
  return paused.state as unknown as State
}
