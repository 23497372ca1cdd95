import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../../test/support/command-line.ts'
import { backupDirectory } from './backup.ts'
import { Connection } from './connection.ts'
import { openDatabase } from './database.ts'
import { restoreDirectory } from './restore.ts'
import { verifyDirectory } from './verify.ts'

/** A backup of a directory with a secret and a file of its owner. */
async function backup(t: TestContext) {
  const room = temporaryDirectory(t)
  const directory = path.join(room, 'data')
  await openDatabase(directory).close()
  writeFileSync(path.join(directory, 'secret.key'), 'the secret')
  writeFileSync(path.join(directory, 'notes.txt'), 'of the owner')
  const file = path.join(room, 'saved.sluice')
  await backupDirectory(directory, file)
  return {
    file,
    target: path.join(room, 'restored'),
    change(sql: string) {
      const raw = new Connection(file)
      raw.exec(sql)
      raw.close()
    },
    addFile(name: string, content: string) {
      const raw = new Connection(file)
      const id = raw.get<{ id: number }>('SELECT max(id) + 1 AS id FROM backup_files')!.id
      raw.run('INSERT INTO backup_files VALUES (?, ?, ?)', id, name, content.length)
      const sha256 = 'x'
      raw.run('INSERT INTO backup_pieces VALUES (?, 0, ?, ?)', id, sha256, Buffer.from(content))
      raw.close()
    },
  }
}

for (const [what, sql, named] of [
  [
    'a trigger',
    `CREATE TRIGGER evil AFTER INSERT ON api_keys BEGIN UPDATE api_keys SET scopes = '["manage"]'; END`,
    /it has the trigger evil/,
  ],
  ['a view', 'CREATE VIEW evil AS SELECT * FROM credentials', /it has the view evil/],
  ['a table', 'CREATE TABLE evil (n)', /it has the table evil/],
  ['a table less', 'DROP TABLE leads', /it lacks the table leads/],
  ['a trigger less', 'DROP TRIGGER original_removed', /it lacks the trigger original_removed/],
  ['another column', 'ALTER TABLE backup_info ADD COLUMN evil TEXT', /it has another table backup_info/],
] as const)
  test(`restoreDirectory() refuses a backup that something has given ${what}, and names it [server:backup]`, async (t) => {
    const { file, target, change } = await backup(t)
    change(sql)
    await assert.rejects(restoreDirectory(file, target), (error: Error & { code: string }) => {
      assert.equal(error.code, 'backup_invalid')
      assert.match(error.message, named)
      return true
    })
    assert.ok(!existsSync(path.join(target, 'sluice.db')))
  })

test('restoreDirectory() restores the files of Sluice alone, and names the others [server:backup]', async (t) => {
  const { file, target, addFile } = await backup(t)
  const strange = ['.env', 'sluice.marker', 'originals/x', 'uploads/a/b/c', 'uploads/x']
  for (const name of strange) addFile(name, 'evil')
  const report = await restoreDirectory(file, target)
  assert.deepEqual(report.leftOut, strange)
  for (const name of strange.filter((one) => one !== 'sluice.marker'))
    assert.ok(!existsSync(path.join(target, name)), name)
  assert.notEqual(readFileSync(path.join(target, 'sluice.marker'), 'utf8'), 'evil')
  assert.equal(readFileSync(path.join(target, 'secret.key'), 'utf8'), 'the secret')
  assert.ok(!existsSync(path.join(target, 'notes.txt')), 'a backup has no files of the owner')
})

test('restoreDirectory() refuses a backup with a path that leads out of the directory', async (t) => {
  const { file, target, addFile } = await backup(t)
  addFile('../evil', 'evil')
  await assert.rejects(restoreDirectory(file, target), { code: 'backup_invalid' })
})

test('verifyDirectory() names what a schema has besides that of its version', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'data')
  mkdirSync(directory)
  const database = openDatabase(directory)
  await database.close()
  const raw = new Connection(database.file)
  raw.exec('CREATE TRIGGER evil AFTER INSERT ON leads BEGIN DELETE FROM api_keys; END')
  raw.close()
  const checks = await verifyDirectory(directory)
  assert.deepEqual(
    checks.flatMap(({ findings }) => findings),
    ['it has the trigger evil'],
  )
})
