import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentEvent } from '../../contract/agent.ts'
import { createFrames, frame } from './prediction.ts'

/** The events that a client receives, in order, for a run that ends with this text. */
function sent(events: readonly AgentEvent[], text = ''): string[] {
  const frames = createFrames()
  const all = events.map((event) => frames.of(event)).join('') + frames.rest(text)
  return all
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const { event, data } = JSON.parse(block.replace('message:\ndata:', '')) as {
        event: string
        data: unknown
      }
      return typeof data === 'string' ? `${event} ${data}` : event
    })
}

test('frame() gives the bytes that clients of Flowise expect', () => {
  assert.equal(frame('token', 'Hi'), 'message:\ndata:{"event":"token","data":"Hi"}\n\n')
  assert.equal(
    frame('token', 'a\nb\r\u2028"'),
    'message:\ndata:{"event":"token","data":"a\\nb\\r\u2028\\""}\n\n',
    'a line break in a token does not end the line',
  )
  assert.equal(
    frame('thinking', '', { duration: 3 }),
    'message:\ndata:{"event":"thinking","data":"","duration":3}\n\n',
  )
})

const sources: AgentEvent = { event: 'sourceDocuments', data: [] }
const tools: AgentEvent = { event: 'usedTools', data: [] }
const token = (data: string): AgentEvent => ({ event: 'token', data })

for (const { what, events, text, expected } of [
  {
    what: 'begin with start, which has the first token',
    events: [token('Hel'), token('lo')],
    text: 'Hello',
    expected: ['start Hel', 'token Hel', 'token lo'],
  },
  {
    what: 'have sources and tool calls after the text',
    events: [sources, tools, { event: 'calledTools', data: [] }, token('Hello')],
    text: 'Hello',
    expected: ['calledTools', 'start Hello', 'token Hello', 'sourceDocuments', 'usedTools'],
  },
  {
    what: 'contain a text that was not sent as tokens',
    events: [tools],
    text: 'from the tool',
    expected: ['start from the tool', 'token from the tool', 'usedTools'],
  },
  { what: 'are none for nothing', events: [], text: '', expected: [] },
  {
    what: 'keep the order of an agent flow, which has no start',
    events: [
      { event: 'agentFlowEvent', data: 'INPROGRESS' },
      { event: 'nextAgentFlow', data: { nodeId: 'n', nodeLabel: 'N', status: 'INPROGRESS' } },
      token('Hello'),
      tools,
      { event: 'agentFlowEvent', data: 'FINISHED' },
    ],
    text: 'Hello',
    expected: [
      'agentFlowEvent INPROGRESS',
      'nextAgentFlow',
      'token Hello',
      'usedTools',
      'agentFlowEvent FINISHED',
    ],
  },
] as { what: string; events: AgentEvent[]; text: string; expected: string[] }[])
  test(`the frames of a run ${what}`, () => assert.deepEqual(sent(events, text), expected))
