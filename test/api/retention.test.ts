import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { documentFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform, type TestPlatform } from '../support/platform.ts'
import { untilEqual } from '../support/until.ts'

const DAY = 86_400_000

const [first, model] = await Promise.all([makePlatform({}, { embedded: true }), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'An answer.' }

const made = await first.manage<{ id: string }>('POST', '/api/v1/chatflows', {
  name: 'Chat',
  flowData: documentFlow(model.url),
  apiConfig: { overrideConfig: { status: true, nodes: { '*': [{ name: 'files', enabled: true }] } } },
})
const flow = made.body.id
for (const chatId of ['old', 'new', 'long']) {
  const upload = await first.upload(flow, { [`${chatId}.txt`]: `The words of ${chatId}.` }, { chatId })
  assert.equal(upload.status, 200, upload.text)
  for (const question of ['one', 'two']) {
    const asked = await first.call('POST', `/api/v1/prediction/${flow}`, { body: { question, chatId } })
    assert.equal(asked.status, 200, asked.text)
  }
  const lead = { chatflowid: flow, chatId, name: chatId }
  assert.equal((await first.call('POST', '/api/v1/leads', { body: lead })).status, 200)
}
// Files without any question, of forty days ago.
const alone = await first.upload(flow, { 'silent.txt': 'The words of a silent one.' }, { chatId: 'silent' })
assert.equal(alone.status, 200, alone.text)
// As time would do it: the conversation `old`, and the first half of `long`, are forty days old.
const database = new Connection(path.join(first.dataDirectory, 'sluice.db'))
const before = Date.now() - 40 * DAY
database.run(`UPDATE chat_messages SET created_at = ? WHERE chat_id = 'old'`, before)
database.run(
  `UPDATE chat_messages SET created_at = ? WHERE seq IN
     (SELECT seq FROM chat_messages WHERE chat_id = 'long' ORDER BY seq LIMIT 2)`,
  before,
)
database.run(`UPDATE chat_claims SET used_at = ? WHERE chat_id = 'silent'`, before)
database.run(`UPDATE leads SET created_at = ? WHERE chat_id = 'old'`, before)
database.close()
await first.close()

/** A server over a copy of the data directory. */
async function serverWith(settings: Record<string, string>): Promise<TestPlatform> {
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'sluice-api-'))
  cpSync(first.dataDirectory, DATA_DIR, { recursive: true })
  const platform = await makePlatform({ DATA_DIR, ...settings }, { embedded: true })
  after(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  return platform
}

const [keeping, removing] = await Promise.all([
  serverWith({}),
  serverWith({ KEEP_CHATS_DAYS: '30', KEEP_LEADS_DAYS: '30' }),
])

async function held(platform: TestPlatform) {
  const conversations = await platform.manage<{ data: { chatId: string; messages: number }[] }>(
    'GET',
    `/api/v1/chatflows/${flow}/conversations`,
  )
  const leads = await platform.manage<{ name: string }[]>('GET', `/api/v1/leads/${flow}`)
  const runs = await platform.manage<{ data: { chatId: string }[] }>(
    'GET',
    `/api/v1/executions?agentflowId=${flow}&summary=true`,
  )
  const documents: string[] = []
  for (const chatId of ['old', 'new', 'long', 'silent']) {
    const { body } = await platform.manage<{ data: { source: string }[] }>(
      'GET',
      `/api/v1/vector/sources/${flow}?chatId=${chatId}`,
    )
    documents.push(...body.data.map(({ source }) => source))
  }
  return {
    conversations: conversations.body.data.map(({ chatId, messages }) => `${chatId} ${messages}`).toSorted(),
    runs: runs.body.data.map(({ chatId }) => chatId).toSorted(),
    leads: leads.body.map(({ name }) => name).toSorted(),
    documents: documents.toSorted(),
  }
}

test('KEEP_CHATS_DAYS and KEEP_LEADS_DAYS remove old conversations whole, with documents and runs, and old leads [server:retention, runs:kept]', async () => {
  await untilEqual(() => held(removing), {
    conversations: ['long 4', 'new 4'],
    runs: ['long', 'long', 'new', 'new'],
    leads: ['long', 'new'],
    documents: ['long.txt', 'new.txt'],
  })
  const lines = removing.log.filter(({ event }) => event.startsWith('old-'))
  assert.deepEqual(lines, [
    { level: 'info', event: 'old-conversations-removed', facts: { count: 2, days: 30 } },
    { level: 'info', event: 'old-leads-removed', facts: { count: 1, days: 30 } },
  ])
})

test('a server keeps all conversations and leads by default [server:retention]', async () => {
  const all = ['long', 'new', 'old']
  assert.deepEqual(await held(keeping), {
    conversations: all.map((chatId) => `${chatId} 4`),
    runs: all.flatMap((chatId) => [chatId, chatId]),
    leads: all,
    documents: [...all, 'silent'].map((chatId) => `${chatId}.txt`),
  })
  assert.ok(!keeping.log.some(({ event }) => event.startsWith('old-')))
})
