import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { DamagedFile } from '../../../test/support/database-damage.ts'
import { temporaryDirectory } from '../../../test/support/command-line.ts'
import { Connection } from '../sqlite/connection.ts'
import { salvageRows } from './salvage.ts'

const ROWS = 4000

function tables(directory: string): DamagedFile {
  const connection = new Connection(path.join(directory, 'sluice.db'))
  connection.exec(`PRAGMA page_size = 8192;
    CREATE TABLE numbered (id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT;
    CREATE TABLE named (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID`)
  connection.transaction(() => {
    for (let n = 1; n <= ROWS; n++) {
      const content = `Row ${n} of the harbour, with some words so that a page holds not too many of them.`
      connection.run('INSERT INTO numbered VALUES (?, ?)', n, content)
      connection.run('INSERT INTO named VALUES (?, ?)', String(n).padStart(6, '0'), content)
    }
  })
  connection.close()
  return new DamagedFile(directory, 5)
}

function salvage(file: string, name: string, key: 'rowid' | 'id') {
  const connection = new Connection(file, { readOnly: true, lenient: true })
  const found: number[] = []
  const isWhole = salvageRows(connection, { name, columns: ['content'], key }, ({ place }) =>
    found.push(Number(place)),
  )
  connection.close()
  return { isWhole, found }
}

/** Numbers of which none is twice, and the first and last as long as the ends are sound. */
function fromBothEnds(found: readonly number[]): void {
  assert.equal(new Set(found).size, found.length)
  assert.ok(found.includes(1) && found.includes(ROWS))
}

test('salvageRows() reads a sound table as it is', (t) => {
  const { file } = tables(temporaryDirectory(t))
  for (const [name, key] of [
    ['numbered', 'rowid'],
    ['named', 'id'],
  ] as const) {
    const { isWhole, found } = salvage(file, name, key)
    assert.equal(isWhole, true)
    assert.deepEqual(
      found,
      Array.from({ length: ROWS }, (_, n) => n + 1),
    )
  }
})

test('salvageRows() finds what lies between damaged pages by its numbers', (t) => {
  const damage = tables(temporaryDirectory(t))
  const pages = [5, 20, 40].map((nth) => damage.nthPage('numbered', 'leaf', nth))
  for (const page of pages) damage.noise(page)
  const { isWhole, found } = salvage(damage.file, 'numbered', 'rowid')
  assert.equal(isWhole, false)
  fromBothEnds(found)
  // Three pages of some ninety rows.
  assert.ok(found.length > ROWS - 400 && found.length < ROWS - 100, String(found.length))
})

test('salvageRows() reads a table whose keys are texts from both ends', (t) => {
  const damage = tables(temporaryDirectory(t))
  damage.noise(damage.nthPage('named', 'leaf', 20))
  const { isWhole, found } = salvage(damage.file, 'named', 'id')
  assert.equal(isWhole, false)
  fromBothEnds(found)
  assert.ok(found.length > ROWS - 200 && found.length < ROWS, String(found.length))
})

test('salvageRows() reads what comes before a damaged last page', (t) => {
  const damage = tables(temporaryDirectory(t))
  damage.noise(damage.nthPage('numbered', 'leaf', -1))
  const { isWhole, found } = salvage(damage.file, 'numbered', 'rowid')
  assert.equal(isWhole, false)
  assert.ok(found.length > ROWS - 200 && found.length < ROWS, String(found.length))
})
