import assert from 'node:assert/strict'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { temporaryDirectory } from '../../../test/support/command-line.ts'
import { fingerprint } from '../../kit/hash.ts'
import { saveFlowDraft } from '../repositories/flow-drafts.ts'
import { insertFlow } from '../repositories/flows.ts'
import { sessionOf } from './sql.ts'
import { insertQuestion } from '../repositories/chat-messages.ts'
import { Connection } from './connection.ts'
import { contentSteps } from './contents.ts'
import { openDatabase } from './database.ts'
import { keepValues } from './value-blocks.ts'
import { stageChunks } from './run-writes.ts'
import { textIndex } from './text-index.ts'

const CHUNKS = 1100
const DIMENSIONS = 4

/** A database with rows in all tables that have checksums. */
async function filled(t: TestContext): Promise<Connection> {
  const directory = path.join(temporaryDirectory(t), 'data')
  const database = openDatabase(directory)
  await database.close()
  const connection = new Connection(database.file)
  t.after(() => connection.close())
  const now = 1
  connection.run(
    `INSERT INTO indexes (id, namespace, embedder, dimensions, created_at) VALUES (1, 'harbour', 'e', 4, 1)`,
  )
  const chunks = Array.from({ length: CHUNKS }, (_, n) => {
    const text = `Berth ${n} holds tar. \u{1F6A2}`
    const metadata = `{"berth":${n}}`
    return { source: 'a', text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) }
  })
  const vectors = Float32Array.from({ length: CHUNKS * DIMENSIONS }, (_, n) => n / 7)
  connection.transaction(() =>
    stageChunks.run(connection, { indexId: 1, run: 1, chunks, dimensions: DIMENSIONS, vectors, now }),
  )
  connection.run('UPDATE indexes SET chunks = ? WHERE id = 1', CHUNKS)
  const rule = { chunks: 2000, span: 2000, least: 1, leastNew: 1 }
  keepValues.run(connection, { indexId: 1, rule })
  const flow = { id: 'f', slug: 'f', name: 'F', type: 'CHATFLOW', flowData: '{"nodes":[]}', config: {} }
  await insertFlow.run(sessionOf(connection), {
    flow: { ...flow, apiKeyId: null, createdAt: now, updatedAt: now },
    makeUnique: false,
    by: 'test',
  })
  const draft = { flowId: 'f', base: 1, flowData: '{"nodes":[1]}', savedAt: now, savedBy: 'test' }
  await saveFlowDraft.run(sessionOf(connection), draft)
  const message = {
    ...{ id: 'm', flowId: 'f', chatId: 'c', sessionId: 'c', role: 'userMessage' as const, content: 'a\0b é' },
    ...{ chatType: 'EXTERNAL' as const, memoryType: null, details: {}, createdAt: now },
  }
  const content = Uint8Array.from([0, 1, 255])
  const files = [{ id: 'x', name: 'x.bin', mime: 'application/octet-stream', content }]
  await insertQuestion.run(sessionOf(connection), { message, owner: null, anyOwner: true, files })
  return connection
}

/** The tables with rows that differ from their checksum, and how many rows of each table were read. */
function look(connection: Connection) {
  const damaged: Record<string, number> = {}
  const rows: Record<string, number> = {}
  for (const step of contentSteps(connection)) {
    rows[step.table] = (rows[step.table] ?? 0) + step.rows
    if (step.damaged > 0) damaged[step.table] = (damaged[step.table] ?? 0) + step.damaged
  }
  return { damaged, rows }
}

test('contentSteps() reads every row once and finds nothing in a sound database', async (t) => {
  const connection = await filled(t)
  const { damaged, rows } = look(connection)
  assert.deepEqual(damaged, {})
  for (const [table, count] of Object.entries(rows))
    assert.equal(count, connection.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n, table)
  assert.deepEqual(Object.keys(rows).length, 13)
  assert.equal(rows.passages, CHUNKS)
})

test('contentSteps() finds one changed byte in a text, metadata, vector, postings, flow, message or file', async (t) => {
  const connection = await filled(t)
  const changes: Record<string, string> = {
    passages: `UPDATE passages SET content = replace(content, 'tar', 'far') WHERE id = 777`,
    chunks: `UPDATE chunks SET metadata = '{"berth":1}' WHERE id = 777`,
    vectors: `UPDATE vectors SET vector = x'00000000000000000000000000000000' WHERE passage_id = 777`,
    text_pages: `UPDATE text_pages SET page = CAST(substr(page, 2) || x'00' AS BLOB) WHERE id = 1`,
    text_segment_bodies: `UPDATE text_segment_bodies SET classes = CAST(substr(classes, 2) || x'ff' AS BLOB)`,
    value_blocks: 'UPDATE value_blocks SET last_chunk = last_chunk + 1',
    value_columns: `UPDATE value_columns SET content = CAST(replace(content, '7', '8') AS BLOB)`,
    flow_revisions: `UPDATE flow_revisions SET config = '[]'`,
    flows: `UPDATE flows SET flow_data = '{"modes":[]}'`,
    flow_drafts: `UPDATE flow_drafts SET flow_data = '{"nodes":[2]}'`,
    chat_messages: `UPDATE chat_messages SET content = 'a'`,
    chat_files: `UPDATE chat_files SET content = x'0001fe'`,
  }
  for (const [table, sql] of Object.entries(changes)) {
    connection.exec('BEGIN')
    connection.exec(sql)
    assert.deepEqual(look(connection).damaged, { [table]: 1 })
    connection.exec('ROLLBACK')
  }
})

test('contentSteps() counts the bits of passages that are gone, and passes rows without a checksum', async (t) => {
  const connection = await filled(t)
  textIndex.remove(connection, 1, [3, 5, 8])
  connection.run('UPDATE vectors SET checksum = NULL, vector = zeroblob(16) WHERE passage_id = 3')
  assert.deepEqual(look(connection).damaged, {})
  connection.run(`UPDATE text_segments SET gone = CAST(substr(gone, 2) || x'00' AS BLOB)`)
  assert.deepEqual(look(connection).damaged, { text_segments: 1 })
})
