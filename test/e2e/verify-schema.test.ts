import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { SCHEMA_VERSION } from '../../src/db/sqlite/migrations.ts'
import { room } from '../support/program.ts'
import { runHere } from '../support/program-here.ts'
import { UNDO_NEWEST_STEP } from '../support/sqlite-schemas.ts'

for (const version of [23, SCHEMA_VERSION - 1])
  test(`sluice verify ends with 1 on the schema ${version === 23 ? 'before the first release' : 'before this one'}, which it does not read [server:verify]`, async (t) => {
    const directory = room(t)
    const database = openDatabase(path.join(directory, 'data'))
    await database.close()
    const earlier = new Connection(database.file)
    earlier.exec(`${UNDO_NEWEST_STEP}; PRAGMA user_version = ${version}`)
    earlier.close()
    for (const argv of [[], ['--json'], ['quickstart']]) {
      const ended = await runHere(['verify', ...argv, '--data-dir', 'data'], { directory })
      assert.equal(ended.code, 1, ended.stdout + ended.stderr)
    }
    const json = await runHere(['verify', '--json', '--data-dir', 'data'], { directory })
    assert.equal(JSON.parse(json.stdout).ok, false)
  })
