import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { backupDirectory } from '../../src/db/sqlite/backup.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { restoreDirectory } from '../../src/db/sqlite/restore.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { temporaryDirectory } from '../support/command-line.ts'
import { fillDirectory } from '../support/full-database.ts'
import { randomBelow } from '../support/random.ts'
import { drawing, SEED, tries } from './support.ts'

/** Backups that somebody has changed: by bytes, by the names of their files, by what a database can be made to do. */

const NAMES = [
  ...[
    '../evil',
    '../../evil',
    '/tmp/sluice-evil',
    'originals/../../evil',
    'uploads/../evil',
    './evil',
    '.env',
    'evil.key',
  ],
  ...[
    'sluice.db',
    'sluice.db-wal',
    'sluice.db/evil',
    'restoring/evil',
    'originals/aa/../../../evil',
    'C:\\evil',
    'secret.key/evil',
  ],
]
const SQL = [
  `CREATE TRIGGER evil AFTER INSERT ON api_keys BEGIN UPDATE api_keys SET scopes = '["manage"]'; END`,
  `CREATE TEMP TRIGGER evil AFTER INSERT ON api_keys BEGIN SELECT 1; END`,
  ...[
    'CREATE VIEW evil AS SELECT * FROM credentials',
    'CREATE TABLE evil (n)',
    'CREATE INDEX evil ON flows (name)',
  ],
  ...[
    'DROP TABLE flows',
    'DELETE FROM backup_files',
    'DELETE FROM backup_pieces',
    'DELETE FROM backup_info',
    'PRAGMA user_version = 99',
  ],
  ...[
    'PRAGMA user_version = 1',
    'PRAGMA application_id = 7',
    'ALTER TABLE flows ADD COLUMN evil TEXT',
    'DELETE FROM flows',
  ],
  `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE flows (evil)' WHERE name = 'flows'`,
  `UPDATE backup_pieces SET content = zeroblob(10)`,
  `UPDATE backup_files SET bytes = 4000000000`,
  `UPDATE chunks SET metadata = 'no json'`,
  `UPDATE vectors SET vector = zeroblob(3)`,
]

test(`a changed backup is restored whole or refused whole, and writes nothing beside its directory (seed ${SEED}) [server:backup]`, async (t) => {
  const room = temporaryDirectory(t)
  const [source, whole] = [path.join(room, 'source'), path.join(room, 'whole.sluice')]
  await fillDirectory(source, 10)
  await backupDirectory(source, whole)
  const { length } = readFileSync(whole)
  const [draw, below] = [drawing(), randomBelow(SEED)]
  const file = path.join(room, 'changed.sluice')
  const sql = (...statements: string[]) => {
    const raw = new Connection(file)
    try {
      for (const statement of statements) raw.exec(statement)
    } catch {
      // A file that cannot be changed so is tried as it is.
    } finally {
      raw.close()
    }
  }
  const ATTACKS: [string, () => void][] = [
    ['cut off', () => truncateSync(file, below(length))],
    [
      'other bytes',
      () => {
        const bytes = readFileSync(file)
        for (let n = 0; n <= below(40); n++) bytes[below(length)] = below(256)
        writeFileSync(file, bytes)
      },
    ],
    [
      'a page of another place',
      () => {
        const bytes = readFileSync(file)
        const page = (n: number) => (n % Math.floor(length / 4096)) * 4096
        bytes.copy(bytes, page(1 + below(length)), page(below(length)), page(below(length)) + 4096)
        writeFileSync(file, bytes)
      },
    ],
    ['statements', () => sql(draw(SQL), draw(SQL))],
    [
      'a file of another name',
      () => {
        const name = draw(NAMES).replaceAll("'", "''")
        const id = '(SELECT coalesce(max(id), 0) FROM backup_files)'
        sql(
          `INSERT INTO backup_files VALUES (${id} + 1, '${name}', 4)`,
          `INSERT INTO backup_pieces VALUES (${id}, 0, 'x', CAST('evil' AS BLOB))`,
        )
      },
    ],
    ['a file renamed', () => sql(`UPDATE backup_files SET path = '${draw(NAMES)}'`)],
  ]
  let [restored, refused] = [0, 0]
  for (let number = 0; number < tries(40); number++) {
    const [what, change] = draw(ATTACKS)
    copyFileSync(whole, file)
    change()
    const place = path.join(room, 'place')
    const target = path.join(place, 'data')
    mkdirSync(place)
    const shown = `try ${number}: ${what}`
    const error = await restoreDirectory(file, target).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error === undefined) {
      restored++
      await openDatabase(target).close()
    } else {
      refused++
      assert.ok(error instanceof SluiceError, `${shown}: ${error instanceof Error ? error.stack : error}`)
      assert.ok(!existsSync(path.join(target, 'sluice.db')), shown)
      assert.ok(!existsSync(path.join(target, 'secret.key')), `${shown}: a refused backup has left a secret`)
    }
    assert.deepEqual(readdirSync(place), ['data'], shown)
    const names = readdirSync(target, { recursive: true, encoding: 'utf8' })
    for (const name of names) assert.doesNotMatch(name, /evil|\.env/, shown)
    for (const outside of ['/tmp/sluice-evil', path.join(room, 'evil')])
      assert.ok(!existsSync(outside), shown)
    rmSync(place, { recursive: true })
  }
  assert.ok(refused > restored, `${refused} were refused, ${restored} were restored`)
})
