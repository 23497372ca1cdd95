import type { PendingAction } from '../contract/agent.ts'
import type { ToolCall } from '../contract/chat-model.ts'
import type { PausedRunStore, PausedRun } from '../contract/paused-run-store.ts'
import type { FlowNode } from '../flow/graph.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import type { HumanInput } from './prediction.ts'
import { parseCallInput } from './tool-calls.ts'

/** What a person is shown, in the form of Flowise's clients. */
export const createPendingAction = (node: FlowNode, input: JsonObject): PendingAction => ({
  id: randomId(),
  mapping: { approve: 'Proceed', reject: 'Reject' },
  elements: [
    { type: 'agentflowv2-approve-button', label: 'Proceed' },
    { type: 'agentflowv2-reject-button', label: 'Reject' },
  ],
  data: { nodeId: node.id, nodeLabel: node.label, input },
})

/** How a person is asked about a call of a model's. */
export function approvalRequest(call: ToolCall, node: FlowNode): { text: string; action: PendingAction } {
  const toolInput = parseCallInput(call)
  const shown = JSON.stringify(toolInput, null, 2)
  return {
    text: `Attempting to use the tool ${call.name}:\n\n\`\`\`json\n${shown}\n\`\`\`\n\nGo on?`,
    action: createPendingAction(node, { toolCalls: [{ tool: call.name, toolInput }] }),
  }
}

/** A flow that answers another flow cannot wait: nobody would see what it asks. @throws SluiceError `flow_cannot_answer` */
export function refuseInNestedFlow(asking: readonly string[] = []): void {
  if (asking.length === 0) return
  throw new SluiceError('flow_cannot_answer', { reason: 'a person cannot be asked within another flow' })
}

/** The run that a person's decision is about. @throws SluiceError `nothing_waits` */
export async function findPausedRun(
  executions: PausedRunStore,
  flowId: string,
  sessionId: string,
  { startNodeId }: HumanInput,
  nodes: ReadonlyMap<string, FlowNode>,
): Promise<PausedRun> {
  const paused = await executions.find(flowId, sessionId)
  const fits = paused && [paused.nodeId, undefined].includes(startNodeId) && nodes.has(paused.nodeId)
  if (!fits) throw new SluiceError('nothing_waits')
  return paused
}

/** Takes a run that waited, for good: whatever was allowed happens once. @throws SluiceError `nothing_waits` */
export async function takePausedRun<State>(executions: PausedRunStore, paused: PausedRun): Promise<State> {
  if (!(await executions.take(paused.id))) throw new SluiceError('nothing_waits')
  return paused.state as unknown as State
}
