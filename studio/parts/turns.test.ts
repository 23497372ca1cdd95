import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatMessage, PendingAction, UsedTool } from '../server/chat.ts'
import { type Answer, afterEvent, newAnswer, turnsOf } from './turns.ts'

const message = (
  role: ChatMessage['role'],
  content: string,
  more: Partial<ChatMessage> = {},
): ChatMessage => ({
  ...{ id: `${role} ${content}`, role, content, chatflowid: 'f', chatId: 'c', sessionId: 'c' },
  ...{ chatType: 'INTERNAL', memoryType: null, createdDate: '2026-01-01T00:00:00.000Z', fileUploads: [] },
  ...{ sourceDocuments: null, usedTools: null, action: null, agentFlowExecutedData: null, executionId: null },
  ...{ fileAnnotations: null, agentReasoning: null, reasonContent: null, artifacts: null, leadEmail: null },
  ...{ followUpPrompts: null, failure: null },
  ...more,
})

const used = (callId: string, more: Partial<UsedTool> = {}): UsedTool => ({
  tool: 'create_event',
  toolInput: {},
  toolOutput: 'made',
  trace: { callId },
  ...more,
})

const ACTION: PendingAction = {
  id: 'a',
  mapping: { approve: 'Proceed', reject: 'Reject' },
  elements: [],
  data: { nodeId: 'toolAgent_0', input: { toolCalls: [{ tool: 'create_event', toolInput: {} }] } },
}

test('turnsOf() pairs questions and answers, and keeps questions that failed', () => {
  const failure = { code: 'provider_failed', message: 'The provider failed', nodeId: 'x_0' }
  const turns = turnsOf([
    message('userMessage', 'one', { failure }),
    message('userMessage', 'two'),
    message('apiMessage', 'second', { usedTools: [used('1')] }),
    message('userMessage', 'three'),
    message('apiMessage', 'third', { usedTools: [used('1'), used('2')] }),
  ])
  assert.deepEqual(
    turns.map(({ question, answer }) => [question, answer?.text, answer?.failure?.code]),
    [
      ['one', '', 'provider_failed'],
      ['two', 'second', undefined],
      ['three', 'third', undefined],
    ],
  )
  assert.deepEqual(
    turns[2]!.answer!.tools.map(({ trace }) => trace!.callId),
    ['2'],
  )
})

const play = (...events: Parameters<typeof afterEvent>[1][]): Answer => events.reduce(afterEvent, newAnswer())

test('afterEvent() collects text, tool calls and their results, and ends', () => {
  const answer = play(
    { event: 'start', data: 'Made' },
    { event: 'calledTools', data: [used('1', { toolOutput: '' }), used('2', { toolOutput: '' })] },
    { event: 'toolResult', data: used('2') },
    { event: 'token', data: 'Made' },
    { event: 'token', data: ' it.' },
    { event: 'usedTools', data: [used('earlier'), used('1'), used('2')] },
    { event: 'metadata', data: { chatMessageId: 'm' } },
    { event: 'end' },
  )
  assert.deepEqual([answer.text, answer.state, answer.id], ['Made it.', 'ended', 'm'])
  assert.deepEqual(
    answer.tools.map(({ trace, toolOutput }) => [trace!.callId, toolOutput]),
    [
      ['1', 'made'],
      ['2', 'made'],
    ],
  )
})

test('afterEvent() shows a call that waits apart from the text, and failures with their node', () => {
  const waiting = play(
    { event: 'token', data: 'I will. Attempting to use the tool create_event:\n\nGo on?' },
    { event: 'action', data: ACTION },
  )
  assert.deepEqual([waiting.text, waiting.action?.id], ['I will.', 'a'])
  const failed = play(
    { event: 'token', data: 'Half' },
    { event: 'error', data: 'No', code: 'x', nodeId: 'n_0' },
  )
  assert.deepEqual([failed.text, failed.failure], ['Half', { code: 'x', message: 'No', nodeId: 'n_0' }])
  assert.equal(play({ event: 'abort', data: '[DONE]' }).failure?.code, 'cancelled')
})

test('afterEvent() follows the nodes of an agent flow', () => {
  const step = (nodeId: string, status: string) => ({
    event: 'nextAgentFlow',
    data: { nodeId, nodeLabel: nodeId, status },
  })
  const { steps } = play(
    step('a', 'INPROGRESS'),
    step('a', 'FINISHED'),
    { event: 'agentFlowExecutedData', data: [{ nodeId: 'a', nodeLabel: 'a', status: 'FINISHED', data: {} }] },
    step('b', 'INPROGRESS'),
    step('b', 'ERROR'),
  )
  assert.deepEqual(
    steps.map(({ nodeId, status }) => `${nodeId} ${status}`),
    ['a FINISHED', 'b ERROR'],
  )
})
