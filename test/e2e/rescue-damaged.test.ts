import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { DamagedFile } from '../support/database-damage.ts'
import { change, old } from '../support/rescue-place.ts'
import { KEPT_TEXTS } from '../support/rescue-schemas.ts'

test('a lost log is said, and what is left is rescued [rescue:damaged]', async (t) => {
  const place = old(t, 23)
  writeFileSync(
    path.join(place.data, 'sluice.marker'),
    `sluice.db belongs here\n${JSON.stringify({ id: 'x', starts: 1, open: true, boot: '' })}\n`,
  )
  const rescued = await place.rescue()
  assert.equal(rescued.code, 1)
  assert.match(rescued.stderr, /damaged +The log .* is missing or damaged: its last changes are lost/)
  assert.match(rescued.stdout, /3 flows, 1 key/)
})

const MESSAGES = 3000

/** Adds messages to the chat, so that a page of it can be damaged. */
const addMessages = (database: string, flowId: string) =>
  change(database, (connection) =>
    connection.transaction(() => {
      for (let n = 0; n < MESSAGES; n++)
        connection.run(
          `INSERT INTO chat_messages (id, flow_id, chat_id, session_id, role, answered, content, chat_type, details, created_at)
           VALUES (?, ?, 'chat', 'long', 'userMessage', 1, ?, 'EXTERNAL', '{}', ?)`,
          `message ${n}`,
          flowId,
          `Message ${n} about the tide, the berth and the rope.`,
          n + 1,
        )
    }),
  )

test('a database with damaged pages gives all the rest, and says what is missing [rescue:damaged]', async (t) => {
  const place = old(t, 18)
  addMessages(place.database, place.facts.flowId)
  const damage = new DamagedFile(place.data, 7)
  for (const page of damage.twoPages('chat_messages', 'leaf')) damage.noise(page)
  const rescued = await place.rescue(['--json'])
  assert.equal(rescued.code, 1)
  assert.match(rescued.stderr, /damaged +chat message: a part of the table chat_messages cannot be read/)
  const { messages, flows, unreadable } = JSON.parse(rescued.stdout)
  assert.equal(flows, 3)
  assert.deepEqual(unreadable, [])
  // A page has some eighty messages.
  assert.ok(messages < MESSAGES && messages > MESSAGES - 300, String(messages))
  const call = await place.served()
  const chat = await call('GET', `chatmessage/${place.facts.flowId}?sessionId=long`)
  const contents: string[] = chat.body.map(({ content }: { content: string }) => content)
  assert.equal(new Set(contents).size, contents.length)
  for (const content of contents)
    assert.match(content, /^Message \d+ about the tide, the berth and the rope\.$/)
})

test('a database whose end is missing gives what is there [rescue:damaged]', async (t) => {
  const place = old(t, 21)
  addMessages(place.database, place.facts.flowId)
  const damage = new DamagedFile(place.data, 7)
  damage.keep(Math.floor(damage.pages * 0.9) * 8192)
  const rescued = await place.rescue(['--json'])
  assert.equal(rescued.code, 1)
  const { messages, flows } = JSON.parse(rescued.stdout)
  assert.equal(flows, 3)
  assert.ok(messages < MESSAGES && messages > MESSAGES / 2, String(messages))
  const call = await place.served()
  const asked = await call('POST', 'prediction/reply', { question: 'And now?' }, place.facts.apiKey)
  assert.equal(asked.body.text, KEPT_TEXTS.answer)
})

test('a text that the disk has changed is kept and named; a drawing that is no JSON any more is left out [rescue:damaged]', async (t) => {
  const place = old(t, 22)
  change(place.database, (connection) => {
    connection.run(`UPDATE chat_messages SET content = 'Berth six.' WHERE content = ?`, KEPT_TEXTS.answer)
    connection.run(`UPDATE flows SET flow_data = '{"nodes":' WHERE slug = 'model'`)
  })
  const rescued = await place.rescue()
  assert.equal(rescued.code, 1)
  assert.match(rescued.stdout, /2 flows/)
  assert.match(rescued.stderr, /damaged +flow: damaged and left out: Model\n/)
  assert.match(rescued.stderr, /damaged +chat message: not as it was stored, look at it before you use it: /)
  const call = await place.served()
  const chat = await call('GET', `chatmessage/${place.facts.flowId}?sessionId=kept`)
  assert.equal(chat.body.length, 2)
})
