import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { createSecretBox } from '../../kit/secret-box.ts'
import { Connection } from './connection.ts'
import { credentialStore } from '../repositories/credentials.ts'
import { openDatabase } from './database.ts'

function open(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-credentials-'))
  const database = openDatabase(directory)
  t.after(async () => {
    await database.close()
    rmSync(directory, { recursive: true })
  })
  return { directory, database, store: credentialStore(database.sql, createSecretBox('the key')) }
}

const row = { id: 'a', name: 'Mine', kind: 'openAIApi', createdAt: 1, updatedAt: 1 }
const data = { openAIApiKey: 'sk-hidden-in-the-database' }

test('credentialStore leaves no trace of the data in any file', async (t) => {
  const { store, directory } = open(t)
  await store.insert(row, data)
  await store.update({ ...row, name: 'Yours' }, { openAIApiKey: 'sk-hidden-later' })
  for (const file of readdirSync(directory))
    assert.doesNotMatch(readFileSync(path.join(directory, file), 'latin1'), /sk-hidden/, file)
})

test('credentialStore opens nothing with another key, nor what was moved to another row', async (t) => {
  const { store, database } = open(t)
  await store.insert(row, data)
  const other = credentialStore(database.sql, createSecretBox('another key'))
  await assert.rejects(other.open('a'), { code: 'secret_unreadable' })
  await store.insert({ ...row, id: 'b' }, { openAIApiKey: 'b' })
  const raw = new Connection(database.file)
  raw.exec("UPDATE credentials SET sealed = (SELECT sealed FROM credentials WHERE id = 'a') WHERE id = 'b'")
  raw.close()
  await assert.rejects(store.open('b'), { code: 'secret_unreadable' })
})
