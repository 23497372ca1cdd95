import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ExecutionAnswer } from '../../src/api/execution.ts'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { room, start } from '../support/program.ts'
import { until } from '../support/until.ts'

const ADMIN_KEY = 'the-management-key-of-the-tests'
const chat = await startChatServer()
after(() => chat.close())

test('the run of a chat flow whose server was killed is lost after the next start, with what it was doing [runs:lost]', async (t) => {
  const given = { directory: room(t), environment: { ADMIN_KEY } }
  const call = async <Body>(url: string, method: string, path: string, body?: object): Promise<Body> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await answer.json()) as Body
  }
  const first = await start(t, ['start'], given)
  const drawing = { name: 'Talks', flowData: conversationFlow(chat.url) }
  const { id } = await call<{ id: string }>(first.url, 'POST', '/api/v1/chatflows', drawing)
  const runs = async (url: string) =>
    (await call<{ data: ExecutionAnswer[] }>(url, 'GET', '/api/v1/executions')).data
  chat.script('silence')
  const question = { question: 'How long?', chatId: 'dies' }
  call(first.url, 'POST', `/api/v1/prediction/${id}`, question).catch(() => {})
  await until(async () => (await runs(first.url))[0]?.spans.length === 1)
  first.kill('SIGKILL')
  await first.ended

  const second = await start(t, ['start'], given)
  const [run] = await runs(second.url)
  assert.deepEqual(
    [run?.state, run?.failure?.code, run?.title, run?.executionData[0]?.status],
    ['TERMINATED', 'lost', 'How long?', 'TERMINATED'],
  )
  assert.deepEqual(
    run?.spans.map(({ kind, status }) => [kind, status]),
    [['model', 'TERMINATED']],
  )
  second.kill('SIGTERM')
  await second.ended
})
