import assert from 'node:assert/strict'
import type { JsonObject } from '../../src/kit/json.ts'
import { start, step, steps } from './agent-drawing.ts'
import { documentFlow } from './chat-flows.ts'
import type { TestPlatform } from './platform.ts'

/** The flows that the examples of the documentation expect on a new server, as they are stored. */
export const exampleFlows = (modelUrl: string): JsonObject[] => [
  {
    name: 'Assistant',
    slug: 'assistant',
    flowData: documentFlow(modelUrl),
    chatbotConfig: { fullFileUpload: { status: true } },
  },
  {
    name: 'Agent',
    slug: 'agent',
    flowData: {
      nodes: [start(), step('directReplyAgentflow_0', { directReplyMessage: 'Four weeks.' })],
      edges: steps('startAgentflow_0 > directReplyAgentflow_0'),
    } as unknown as JsonObject,
  },
]

/** Makes the flows that the examples of the documentation name: `assistant`, a chat flow, and `agent`, an agent flow. */
export async function makeExampleFlows(platform: TestPlatform, modelUrl: string): Promise<void> {
  for (const flow of exampleFlows(modelUrl)) {
    const made = await platform.manage('POST', '/api/v1/chatflows', flow)
    assert.equal(made.status, 200, made.text)
  }
}
