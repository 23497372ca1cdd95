import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { storedSourceName } from '../../src/documents/conversation.ts'
import { openPostgres, type PostgresDatabase } from '../../src/db/postgres/database.ts'
import { chatMessageStore } from '../../src/db/repositories/chat-messages.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import type { SchemaStep } from '../../src/db/postgres/migrations.ts'
import { SCHEMA } from '../../src/db/postgres/schema/schema.ts'
import { verifyPostgres } from '../../src/db/postgres/verify.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { flowRow } from '../contract/repositories.ts'
import { temporaryDirectory } from '../support/command-line.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { emptyPostgres, openedPostgres, postgresRows, preparedPostgres } from '../support/postgres.ts'
import { postgresTool } from '../support/postgres-tools.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import { RELEASED_SCHEMAS } from '../support/released-schemas.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

/** Columns, indexes, constraints, triggers and sequences of a database. */
const structureOf = ({ reader }: PostgresDatabase) =>
  reader.all(
    `SELECT 'column' AS kind, table_name || '.' || column_name AS name,
         concat_ws(' ', data_type, is_nullable, column_default, is_identity, collation_name) AS text
       FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT 'sequence', sequencename, data_type::text FROM pg_sequences WHERE schemaname = 'public'
     ORDER BY 1, 2, 3`,
  )

const released = readdirSync(RELEASED_SCHEMAS)

test('Every released schema has its dump: step-1.sql is the first', () => {
  assert.ok(released.includes('step-1.sql'), released.join())
})

for (const file of released) {
  test(`openPostgres() brings the schema of ${file} to that of this version, and loses no row of it`, async (t) => {
    const address = await emptyPostgres(t)
    postgresTool(
      'psql',
      ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', address],
      readFileSync(path.join(RELEASED_SCHEMAS, file), 'utf8'),
    )
    const before = await rowCounts(address)
    const upgraded = await openedPostgres(t, address)
    const fresh = await openedPostgres(t, await preparedPostgres(t))
    // A step that is released is never edited: a change of the schema is a new step.
    assert.deepEqual(await structureOf(upgraded), await structureOf(fresh))
    const after = await rowCounts(address)
    for (const [table, rows] of Object.entries(before)) assert.ok(after[table]! >= rows, table)
    assert.deepEqual(
      (await verifyPostgres(address)).flatMap(({ findings }) => findings),
      [],
    )
    const stores = replicaStores(upgraded, path.join(temporaryDirectory(t), 'replica'))
    const search = { embedder: 'e', vector: hashVector('x'), metric: 'cosine', limit: 5 } as const
    assert.equal((await stores.open('harbour').search(search)).length, 5)
    await stores.close()
    assert.ok((await flowStore(upgraded.sql).list()).rows.length > 0)
  })
}

for (const from of ['an empty database', 'step-10.sql'])
  test(`A version that knows no pins, no quotas, or no owners of files does not start on ${from} that has them: it would let every key read all`, async (t) => {
    const address = await emptyPostgres(t)
    if (from !== 'an empty database')
      postgresTool(
        'psql',
        ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', address],
        readFileSync(path.join(RELEASED_SCHEMAS, from), 'utf8'),
      )
    await (await openPostgres(address)).close()
    for (const known of [2, 3, 10, 12])
      await assert.rejects(openPostgres(address, { steps: SCHEMA.slice(0, known) }), { code: 'schema_newer' })
  })

test('files of conversations from before files had owners are for managers alone after the upgrade [chat:files:before]', async (t) => {
  const address = await emptyPostgres(t)
  postgresTool(
    'psql',
    ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', address],
    readFileSync(path.join(RELEASED_SCHEMAS, 'step-12.sql'), 'utf8'),
  )
  const [flow] = await postgresRows<{ id: string }>(address, 'SELECT id FROM flows ORDER BY id LIMIT 1', [])
  const [index] = await postgresRows<{ id: string }>(
    address,
    'SELECT id FROM indexes ORDER BY id LIMIT 1',
    [],
  )
  const flowId = flow!.id
  const odd = 'a "chat" \\u0000 of\tä'
  const add = async (chatId: string, fence?: string) => {
    const name = storedSourceName('rent.txt', { flowId, chatId, ...(fence === undefined ? {} : { fence }) })
    const insert = 'INSERT INTO public.sources (index_id, name, updated_at) VALUES (?, ?, 1)'
    await postgresRows(address, insert, [Number(index!.id), name])
  }
  // The last two cannot be chat ids in this database.
  for (const chatId of ['old', odd, 'half \ud800', 'nul \0']) await add(chatId)
  const messages = chatMessageStore((await openedPostgres(t, address)).sql)
  const refused = { code: 'session_taken' }
  for (const chatId of ['old', odd]) {
    const conversation = { flowId, chatId, sessionId: chatId }
    await assert.rejects(messages.requireOwner(conversation, 'some key'), refused)
    const claim = { owner: 'some key', anyOwner: false, now: 1 }
    await assert.rejects(messages.claim({ flowId, chatId }, claim), refused)
    await messages.claim({ flowId, chatId }, { owner: 'a manager', anyOwner: true, now: 1 })
    await assert.rejects(messages.requireOwner(conversation, 'some key'), refused)
  }
  assert.deepEqual(
    (await messages.withoutMessages(flowId, Number.MAX_SAFE_INTEGER, 100)).includes('old'),
    true,
  )
  await messages.requireOwner({ flowId, chatId: 'new', sessionId: 'new' }, 'some key')
})

test('A step that changes what keys may do says which version must know it', () => {
  for (const [at, { name, sql, needs: least }] of SCHEMA.entries())
    if (at > 0 && /\b(api_keys|quota_use|chat_claims)\b/.test(sql)) assert.equal(least, at + 1, name)
})

async function rowCounts(address: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const tables = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
  for (const { name } of await postgresRows<{ name: string }>(address, tables, []))
    counts[name] = Number(
      (await postgresRows<{ n: string }>(address, `SELECT count(*) AS n FROM ${name}`, []))[0]!.n,
    )
  return counts
}

/** What the next version might do: it adds a column, and fills it for rows of members that do not know it. */
const EXPANDS: SchemaStep = {
  name: 'made up',
  sql: `ALTER TABLE flows ADD COLUMN owner text;
    ALTER TABLE sources ADD COLUMN language text NOT NULL DEFAULT 'und';
    CREATE INDEX flows_by_owner ON flows (owner)`,
}

/** What the version after that might do: members that do not fill the column can work no more. */
const CONTRACTS: SchemaStep = {
  name: 'made up too',
  sql: `UPDATE flows SET owner = 'none' WHERE owner IS NULL; ALTER TABLE flows ALTER COLUMN owner SET NOT NULL`,
  needs: SCHEMA.length + 1,
}

async function storesOf(t: TestContext, database: PostgresDatabase) {
  const stores = replicaStores(database, path.join(temporaryDirectory(t), 'replica'))
  t.after(() => stores.close())
  return stores.open('shared')
}

test('A member of the version before goes on beside a new one, and is refused when its time is over', async (t) => {
  const address = await preparedPostgres(t)
  const old = await openedPostgres(t, address)
  const oldStore = await storesOf(t, old)
  const chunk = (text: string) => ({ source: text, text, metadata: {}, vector: hashVector(text) })
  await flowStore(old.sql).insert(flowRow('before'))
  await publishChunks(oldStore, 'e', [chunk('one')])

  const next = await openedPostgres(t, address, { steps: [...SCHEMA, EXPANDS] })
  const nextStore = await storesOf(t, next)
  await flowStore(old.sql).insert(flowRow('during'))
  await flowStore(next.sql).update({ ...flowRow('before'), name: 'renamed' }, { by: 'x' })
  await publishChunks(oldStore, 'e', [chunk('two')])
  await publishChunks(nextStore, 'e', [chunk('three')])
  const found = async (store: typeof oldStore) =>
    (await store.search({ embedder: 'e', vector: hashVector('one'), metric: 'cosine', limit: 9 }))
      .map(({ pageContent }) => pageContent)
      .sort()
  for (const store of [oldStore, nextStore]) assert.deepEqual(await found(store), ['one', 'three', 'two'])
  assert.equal((await flowStore(old.sql).find('before'))?.name, 'renamed')
  // A member of the version before may also start again beside it.
  await (await openPostgres(address)).close()

  await (await openPostgres(address, { steps: [...SCHEMA, EXPANDS, CONTRACTS] })).close()
  await assert.rejects(openPostgres(address), { code: 'schema_newer' })
  await (await openPostgres(address, { steps: [...SCHEMA, EXPANDS] })).close()
})
