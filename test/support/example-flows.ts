import assert from 'node:assert/strict'
import { start, step, steps } from './agent-drawing.ts'
import { documentFlow } from './chat-flows.ts'
import type { TestPlatform } from './platform.ts'

/** Makes the flows that the examples of the documentation name: `assistant`, a chat flow, and `agent`, an agent flow. */
export async function makeExampleFlows(platform: TestPlatform, modelUrl: string): Promise<void> {
  const agent = {
    nodes: [start(), step('directReplyAgentflow_0', { directReplyMessage: 'Four weeks.' })],
    edges: steps('startAgentflow_0 > directReplyAgentflow_0'),
  }
  for (const flow of [
    {
      name: 'Assistant',
      slug: 'assistant',
      flowData: documentFlow(modelUrl),
      chatbotConfig: { fullFileUpload: { status: true } },
    },
    { name: 'Agent', slug: 'agent', flowData: agent },
  ]) {
    const made = await platform.manage('POST', '/api/v1/chatflows', flow)
    assert.equal(made.status, 200, made.text)
  }
}
