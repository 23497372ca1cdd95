import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { lockDirectory } from '../../src/db/directory.ts'
import { addFiles, filesBeside } from '../../src/db/sqlite/backup.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { SCHEMA_VERSION } from '../../src/db/sqlite/migrations.ts'
import { DamagedFile } from '../support/database-damage.ts'
import { HERE, PROGRAM, runHere } from '../support/program-here.ts'
import { authorizationOf, change, isWhole, old } from '../support/rescue-place.ts'
import { KEPT_TEXTS, RESCUED_SCHEMAS } from '../support/rescue-schemas.ts'
import { cannotMount, smallDisk } from '../support/small-disk.ts'

const insertVariable = (connection: Connection, name: string) =>
  connection.run(`INSERT INTO variables VALUES (?1, ?1, 'static', 'late', 1, 1)`, name)

const filesOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => [name, hash('sha256', readFileSync(path.join(folder, name)))])

test('a data directory of each schema from 8 to 23 is kept [rescue:schemas]', () => {
  assert.deepEqual(
    RESCUED_SCHEMAS,
    Array.from({ length: 16 }, (_, n) => n + 8),
  )
})

for (const schema of RESCUED_SCHEMAS) {
  // The oldest and the newest are rescued, restored and served by the program itself.
  const commandLine = schema === RESCUED_SCHEMAS[0] || schema === RESCUED_SCHEMAS.at(-1) ? PROGRAM : HERE
  test(`sluice rescue of schema ${schema} only reads, and its flows, keys, credentials, variables and chats work on a server of this version [rescue:schemas]`, async (t) => {
    const place = old(t, schema, commandLine)
    const before = filesOf(place.data)
    const rescued = await place.rescue()
    assert.equal(rescued.code, 0, rescued.stderr)
    assert.match(
      rescued.stdout,
      new RegExp(`from schema ${schema}: 3 flows, 1 key, 1 credential, 1 variable, 2 chat messages\n$`),
    )
    assert.deepEqual(filesOf(place.data), before)
    assert.equal(statSync(place.file).mode & 0o777, 0o600)
    const call = await place.served()
    await isWhole(t, call, place.facts)
    const { directory } = place
    const verified = await commandLine.run(['verify', '--data-dir', 'new'], { directory })
    assert.equal(verified.code, 0, verified.stdout)
  })
}

test('what refuses to open an old data directory or backup names sluice rescue [rescue:named]', async (t) => {
  const { directory, data } = old(t, 23)
  const backup = path.join(directory, 'backup.sluice')
  writeFileSync(backup, readFileSync(path.join(data, 'sluice.db')))
  addFiles(backup, filesBeside(data))
  for (const [argv, from] of [
    [['start', '--port', '0', '--data-dir', 'old'], data],
    [['key', 'list', '--data-dir', 'old'], data],
    [['restore', 'backup.sluice', '--data-dir', 'new'], backup],
  ] as const) {
    const { code, stderr } = await runHere([...argv], { directory })
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`sluice rescue ${RegExp.escape(from)} `))
  }
  const rescued = await runHere(['rescue', 'backup.sluice', 'rescued.sluice'], { directory })
  assert.equal(rescued.code, 0, rescued.stderr)
})

test('a backup of an old version is rescued with the secret in it [rescue:schemas]', async (t) => {
  const place = old(t, 23)
  const backup = path.join(place.directory, 'backup.sluice')
  writeFileSync(backup, readFileSync(place.database))
  addFiles(backup, filesBeside(place.data))
  const { code, stderr } = await runHere(['rescue', 'backup.sluice', 'rescued.sluice'], place)
  assert.equal(code, 0, stderr)
  await isWhole(t, await place.served(), place.facts)
})

test('sluice rescue says what it cannot read, and writes nothing [rescue:refused]', async (t) => {
  const place = old(t, 8)
  const { directory, data, file } = place
  writeFileSync(path.join(directory, 'notes.txt'), 'Berth 7 holds tar.\n'.repeat(1000))
  const setSchema = (version: number) => () =>
    change(place.database, (connection) => connection.exec(`PRAGMA user_version = ${version}`))
  const cases: [string, () => void, RegExp][] = [
    ['nowhere', () => {}, /nowhere cannot be opened: there is no such file or directory/],
    ['empty', () => mkdirSync(path.join(directory, 'empty')), /there is no database in this directory/],
    ['notes.txt', () => {}, /notes\.txt cannot be opened: file is not a database/],
    ['old', setSchema(7), /has schema 7: only schemas 8 to 23 can be rescued\n.*load its documents/],
    ['old', setSchema(24), /has schema 24, which this version opens itself/],
    ['old', setSchema(SCHEMA_VERSION + 1), /was written by a newer version/],
    ['old', () => new DamagedFile(data, 1).replaceByOtherProgram(9), /it is no database of Sluice/],
  ]
  for (const [from, prepare, message] of cases) {
    prepare()
    const { code, stdout, stderr } = await runHere(['rescue', from, 'rescued.sluice'], { directory })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, message)
  }
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('rescued')),
    [],
  )
  assert.equal(existsSync(file), false)
})

test('sluice rescue replaces a file with --force alone, and writes none into the directory [rescue:refused]', async (t) => {
  const place = old(t, 12)
  writeFileSync(place.file, 'mine')
  const refused = await place.rescue()
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /rescued\.sluice exists already\n.*--force/)
  assert.equal(readFileSync(place.file, 'utf8'), 'mine')
  const { directory } = place
  const inside = await runHere(['rescue', 'old', 'old/rescued.sluice'], { directory })
  assert.match(inside.stderr, /it would be inside the data directory/)
  const missing = await runHere(['rescue', 'old', 'no/such/folder.sluice'], { directory })
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /folder\.sluice could not be made/)
  const replaced = await place.rescue(['--force', '--json'])
  assert.equal(replaced.code, 0, replaced.stderr)
  const { file, bytes, ...report } = JSON.parse(replaced.stdout)
  assert.equal(file, place.file)
  assert.equal(bytes, statSync(place.file).size)
  assert.deepEqual(report, {
    schema: 12,
    isInUse: false,
    flows: 3,
    keys: 1,
    credentials: 1,
    variables: 1,
    messages: 2,
    secret: 'included',
    unreadable: [],
    damage: [],
  })
})

for (const lost of ['of another directory', 'missing'] as const)
  test(`with a secret that is ${lost} the credentials are named, and the rest works [rescue:secret]`, async (t) => {
    const place = old(t, 17)
    const secret = path.join(place.data, 'secret.key')
    if (lost === 'missing') rmSync(secret)
    else writeFileSync(secret, 'the secret of another directory\n')
    const rescued = await place.rescue()
    assert.equal(rescued.code, 1)
    assert.match(rescued.stdout, /3 flows, 1 key, 1 credential, 1 variable, 2 chat messages/)
    assert.match(rescued.stderr, /not readable +credential Model of the harbour\n.*enter their values again/)
    const call = await place.served()
    const { credentialId, flowId, apiKey } = place.facts
    const asked = await call('POST', `prediction/${flowId}`, { question: 'And now?' }, apiKey)
    assert.equal(asked.body.text, KEPT_TEXTS.answer)
    const unread = await authorizationOf(t, call, place.facts)
    assert.equal(unread.sent, undefined)
    const entered = await call('PUT', `credentials/${credentialId}`, {
      plainDataObj: { openAIApiKey: 'sk-again' },
    })
    assert.equal(entered.status, 200)
    const { sent } = await authorizationOf(t, call, place.facts)
    assert.equal(sent, 'Bearer sk-again')
  })

test('the secret of SECRET_KEY decrypts, is not in the file, and is needed by the server that gets it [rescue:secret]', async (t) => {
  const place = old(t, 20)
  const secret = path.join(place.data, 'secret.key')
  const SECRET_KEY = readFileSync(secret, 'utf8').trim()
  rmSync(secret)
  const wrong = await place.rescue([], { SECRET_KEY: 'a wrong one, long enough for a secret' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /not readable +credential Model of the harbour/)
  const rescued = await place.rescue(['--force'], { SECRET_KEY })
  assert.equal(rescued.code, 0, rescued.stderr)
  assert.match(rescued.stderr, /only with this SECRET_KEY/)
  assert.equal(readFileSync(place.file).includes(SECRET_KEY), false)
  await isWhole(t, await place.served({ SECRET_KEY }), place.facts)
})

test('where SECRET_KEY is set and the file secret.key is the right one, that is used [rescue:secret]', async (t) => {
  const place = old(t, 9)
  const rescued = await place.rescue([], { SECRET_KEY: 'of the server that this machine runs now' })
  assert.equal(rescued.code, 0, rescued.stderr)
  await isWhole(t, await place.served(), place.facts)
})

test('a directory is rescued with what its log has, also while a server uses it [rescue:in-use]', async (t) => {
  const place = old(t, 15)
  const server = new Connection(place.database)
  server.exec('PRAGMA journal_mode = WAL')
  insertVariable(server, 'in the log')
  const lock = await lockDirectory(place.data)
  const beside = await place.rescue()
  assert.equal(beside.code, 0, beside.stderr)
  assert.match(beside.stdout, /2 variables/)
  assert.match(beside.stderr, /A server uses the directory/)
  insertVariable(server, 'later')
  lock.release()
  const log = `${place.database}-wal`
  const before = hash('sha256', readFileSync(log))
  const afterwards = await place.rescue(['--force'])
  assert.match(afterwards.stdout, /3 variables/)
  assert.doesNotMatch(afterwards.stderr, /A server uses the directory/)
  assert.equal(hash('sha256', readFileSync(log)), before)
  server.close()
})

const skip = cannotMount()
test('on a full disk sluice rescue says so and leaves nothing behind [rescue:refused]', {
  skip,
}, async (t) => {
  const place = old(t, 16)
  const { directory } = place
  const disk = smallDisk(t, directory, 4)
  disk.fill(300_000)
  const full = await runHere(['rescue', 'old', 'disk/rescued.sluice'], { directory })
  assert.equal(full.code, 1)
  assert.match(full.stderr, /disk of the server is full/)
  assert.deepEqual(readdirSync(disk.at), ['ballast'])
  disk.clear()
  const rescued = await runHere(['rescue', 'old', 'disk/rescued.sluice'], { directory })
  assert.equal(rescued.code, 0, rescued.stderr)
})
