import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { lacking } from '../support/needs.ts'
import { pgVectorDatabase } from '../support/pgvector.ts'
import { makePlatform } from '../support/platform.ts'
import { administer, pgVectorServer } from '../support/postgres.ts'
import { openStudio } from '../support/studio.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio checks and repairs the points of a vector engine', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)

  test('the documents of a flow with a separate engine are checked, then repaired, by keyboard; the built-in store has no such button [repair:studio]', {
    skip: lacking('PostgreSQL with pgvector'),
  }, async () => {
    const [server, database] = await Promise.all([pgVectorServer(), pgVectorDatabase()])
    await administer(server, `CREATE ROLE mender LOGIN SUPERUSER PASSWORD 'the-password'`)
    const client = new pg.Client(server.address(database))
    await client.connect()
    after(() => client.end())
    const { body: credential } = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
      ...{ name: 'Vectors', credentialName: 'PostgresApi' },
      plainDataObj: { user: 'mender', password: 'the-password' },
    })
    const place = { host: '127.0.0.1', port: server.port, database, tableName: 'berths' }
    const flow = await platform.flow({
      ...{ name: 'Harbour', splitter: { chunkSize: 40, chunkOverlap: 0 }, storeNode: 'postgres' },
      store: { ...place, credential: credential.id },
    })
    const lines = Array.from({ length: 300 }, (_, n) => `Berth ${n} takes ships of ${n + 40} metres.`)
    await platform.upload(flow, { 'berths.txt': lines.join('\n\n') })
    const builtIn = await platform.flow({ name: 'Built in' })
    await platform.upload(builtIn, { 'tides.txt': 'The tide is high.' })

    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${builtIn}/documents`,
    })
    await tab.getByText('tides.txt').waitFor()
    const button = tab.getByRole('button', { name: 'Check and repair' })
    assert.equal(await button.count(), 0)

    await tab.goto(`${platform.url}/flows/${flow}/documents`)
    await button.press('Enter')
    const dialog = tab.getByRole('dialog', { name: 'Check and repair' })
    await dialog.getByRole('heading', { name: 'All 300 points are there' }).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Repair', exact: true }).count(), 0)
    await tab.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    const { rows } = await client.query(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'berths\\_%'`,
    )
    const table = `"${rows[0].relname}"`
    await client.query(`DELETE FROM ${table} WHERE "pageContent" = ANY($1)`, [lines.slice(0, 5)])
    await client.query(
      `INSERT INTO ${table} SELECT $1, "pageContent", metadata, embedding FROM ${table} LIMIT 1`,
      [randomUUID()],
    )
    await button.press('Enter')
    await dialog.getByRole('heading', { name: '6 of 300 points to mend' }).waitFor()
    await dialog.getByText('5 without a point').waitFor()
    await dialog.getByText('A repair writes 5 points, deletes 1 stranger and embeds 5 texts.').waitFor()
    await dialog.getByRole('button', { name: 'Repair', exact: true }).press('Enter')
    const done = '5 points written, 1 deleted, 5 texts embedded'
    await dialog.getByRole('heading', { name: done }).waitFor()
    await dialog.getByRole('button', { name: 'Check again' }).press('Enter')
    await dialog.getByRole('heading', { name: 'All 300 points are there' }).waitFor()

    await tab.goto(`${platform.url}/jobs?kind=repair`)
    await tab
      .getByRole('row', { name: /Harbour/ })
      .getByText(done)
      .waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
}
