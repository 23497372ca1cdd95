import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { administer, postgresServer } from '../support/postgres.ts'
import { scanEngine } from '../support/scan-engine.ts'
import { chunkStoreSuite } from './chunk-store.ts'
import { engineComparisonSuite } from './engine-comparison.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const server = await postgresServer()
await administer(server, 'CREATE DATABASE separate')
const database = await openPostgres(server.address('separate'))
const folder = mkdtempSync(path.join(tmpdir(), 'sluice-separate-'))
const stores = replicaStores(database, folder)
after(async () => {
  await stores.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const source = {
  name: 'scan',
  key: '',
  create() {
    const { close: _, ...engine } = scanEngine(':memory:', { keywords: false })
    return engine
  },
}
let tests = 0
chunkStoreSuite('a store over a separate engine, with the ledger and its words in PostgreSQL', () => {
  const test = `test ${++tests}`
  return { open: (namespace) => stores.openSeparate(`${test} ${namespace}`, source) }
})

engineComparisonSuite('a separate engine, with the ledger in PostgreSQL', {
  make: () => source.create(),
  open: (own) => stores.openSeparate(`compared ${++tests}`, own),
})
