import { after } from 'node:test'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { postgresLedger } from '../../src/db/postgres/ledger.ts'
import { administer, postgresServer } from '../support/postgres.ts'
import { ledgerSuite } from './ledger.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const server = await postgresServer()
await administer(server, 'CREATE DATABASE ledger')
const database = await openPostgres(server.address('ledger'))
after(() => database.close())
const ledger = postgresLedger(database)
let made = 0

ledgerSuite('the ledger in PostgreSQL', () => ({
  ledger,
  namespace: `namespace ${made++}`,
  other: `namespace ${made++}`,
}))
