import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { administer, postgresServer } from '../support/postgres.ts'
import { chunkStoreSuite } from './chunk-store.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const server = await postgresServer()
await administer(server, 'CREATE DATABASE stores')
const database = await openPostgres(server.address('stores'))
const folder = mkdtempSync(path.join(tmpdir(), 'sluice-replica-'))
const stores = replicaStores(database, folder)
after(async () => {
  await stores.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})
let made = 0

chunkStoreSuite('the built-in store over PostgreSQL', () => {
  const test = made++
  return { open: (namespace) => stores.open(`${test} ${namespace}`) }
})
