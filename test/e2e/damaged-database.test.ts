import assert from 'node:assert/strict'
import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { DamagedFile } from '../support/database-damage.ts'
import { room, start as startProgram } from '../support/program.ts'
import { HERE, PROGRAM, runHere, startHere } from '../support/program-here.ts'
import { until } from '../support/until.ts'

const ADMIN_KEY = 'the-admin-key-of-the-test'

/** A document of so many lines. */
const document = (lines: number, cargo: string) =>
  Array.from(
    { length: lines },
    (_, n) => `Berth ${n} holds ${(n * 7919) % 10_007} barrels of ${cargo}.`,
  ).join('\n')

function upload(url: string, name: string, text: string): Promise<Response> {
  const body = new FormData()
  body.append('files', new File([text], name))
  return fetch(`${url}/api/v1/vector/upsert/quickstart`, { method: 'POST', body })
}

/** Makes a flow that takes several pages of the database. */
async function drawLongFlow(url: string): Promise<void> {
  const flows = `${url}/api/v1/chatflows`
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
  const { flowData } = (await (await fetch(`${flows}/quickstart`, { headers })).json()) as {
    flowData: string
  }
  const long = { ...(JSON.parse(flowData) as object), note: document(1000, 'paint') }
  const made = await fetch(flows, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Long', flowData: JSON.stringify(long) }),
  })
  assert.equal(made.status, 200)
}

/** Runs a server that takes documents, by file name, and stops or kills it. Returns its data directory. */
async function serve(
  t: TestContext,
  directory: string,
  documents: Record<string, string>,
  end: 'stop' | 'kill' = 'stop',
): Promise<string> {
  const given = { directory, environment: { ADMIN_KEY } }
  const load = async (url: string) => {
    for (const [name, text] of Object.entries(documents))
      assert.equal((await upload(url, name, text)).status, 200)
    await drawLongFlow(url)
  }
  if (end === 'stop') {
    const server = await startHere(t, ['start'], given)
    await load(server.url)
    server.kill('SIGTERM')
    await server.ended
  } else {
    const server = await startProgram(t, ['start'], given)
    await load(server.url)
    server.kill('SIGKILL')
    await server.ended
  }
  return path.join(directory, 'sluice-data')
}

/** A data directory with some documents, that a server has closed. */
async function sound(t: TestContext): Promise<{ directory: string; data: string }> {
  const directory = room(t)
  return { directory, data: await serve(t, directory, { 'harbour.txt': document(4000, 'tar') }) }
}

type Readiness = { database?: string; code?: string; hint?: string }

/** The answer of `/readyz` once the check at start has ended. */
async function checkedState(url: string): Promise<Readiness & { status: number }> {
  let status = 0
  let body: Readiness = {}
  await until(async () => {
    const response = await fetch(`${url}/readyz`)
    status = response.status
    body = (await response.json()) as Readiness
    // On a busy machine the database may not answer in time.
    return body.database === undefined && body.code !== 'dependency_silent'
  }, 'the end of the check')
  return { ...body, status }
}

/** The result of a start of the server: `refused` is the message of a start that ends with 1; `not ready` is 503. */
type Outcome = { refused: string } | 'not ready' | 'ready'

async function outcomeOf(
  t: TestContext,
  directory: string,
  data: string,
  { start } = HERE,
): Promise<Outcome> {
  const started = await start(t, ['start', '--data-dir', data], { directory }).catch(
    ({ message }: Error) => message,
  )
  if (typeof started === 'string') {
    assert.match(started, /^ended with 1: /)
    assert.doesNotMatch(started, /^\s+at /m)
    return { refused: started.slice(started.indexOf('sluice:')).trim().replaceAll('\n', ' ') }
  }
  const { url, kill, ended } = started
  const { status, code, hint } = await checkedState(url)
  if (status !== 200) {
    assert.deepEqual([status, code], [503, 'database_damaged'])
    assert.match(hint!, /sluice verify .* sluice restore/)
  }
  // Where the bytes of a flow were changed, the flow itself may be refused first.
  const taken = (await upload(url, 'ferry.txt', 'The ferry leaves at noon.')).ok
  assert.equal(taken, status === 200)
  kill('SIGTERM')
  await ended
  return status === 200 ? 'ready' : 'not ready'
}

/** A damage, and the message of the start. Undefined: it is the layout of pages that decides between `DAMAGED` and 503. */
type Damage = [name: string, harm: (file: DamagedFile) => void, message?: RegExp]

const DAMAGED = /^sluice: The database .*sluice verify .* sluice restore/
const UNUSABLE = /^sluice: The database \S+sluice\.db cannot be opened: .*sluice verify .* sluice restore/
const CUT_SHORT = /^sluice: The database \S+sluice\.db cannot be opened: its end is missing: .*sluice restore/
const GONE = /^sluice: The database \S+sluice\.db is missing or empty, .*sluice restore/
const REPLACED =
  /^sluice: The database \S+sluice\.db is not the one that this data directory had: .*sluice restore/
const LOG_LOST = /^sluice: The log \S+sluice\.db-wal of the database is missing or damaged: .*sluice restore/

/** Damages of a database that a server has closed. */
const CLOSED: readonly Damage[] = [
  ['truncated to nothing', (file) => file.keep(0), GONE],
  ['deleted', (file) => rmSync(file.file), GONE],
  ['truncated to 100 bytes', (file) => file.keep(100)],
  ['truncated to one page', (file) => file.keep(8192)],
  ['truncated to half', (file) => file.keep(Math.floor(file.pages / 2) * 8192)],
  ['truncated within a page', (file) => file.keep(file.pages * 8192 - 5000), CUT_SHORT],
  ['without its last page', (file) => file.keep((file.pages - 1) * 8192), CUT_SHORT],
  ['header overwritten', (file) => file.noiseAt(0, 100), UNUSABLE],
  ['page of the schema overwritten', (file) => file.noise(file.page('sqlite_schema', 'leaf'))],
  ['page of pointers overwritten', (file) => file.noise(2)],
  ['interior page of a table overwritten', (file) => file.noise(file.page('vectors', 'internal'))],
  ['leaf of a table overwritten', (file) => file.noise(file.page('chunks', 'leaf'))],
  ['leaf of vectors zeroed', (file) => file.zeros(file.page('vectors', 'leaf'))],
  ['root of an index overwritten', (file) => file.noise(file.root('chunks_by_passage'))],
  ['leaf of an index zeroed', (file) => file.zeros(file.page('chunks_by_source', 'leaf'))],
  ['flows zeroed', (file) => file.zeros(file.page('flows', 'leaf'))],
  ['overflow page overwritten', (file) => file.noise(file.page('flows', 'overflow'))],
  ['end of an overflow page changed', (file) => file.changeOverflow('flows', 'flow_data')],
  ['list of free pages overwritten', (file) => file.noise(file.freePages().list)],
  ['two leaves of a table swapped', (file) => file.swap(file.twoPages('passages', 'leaf'))],
  ['two leaves of an index swapped', (file) => file.swap(file.twoPages('passage_hashes', 'leaf'))],
  [
    'leaves of two tables swapped',
    (file) => file.swap([file.page('vectors', 'leaf'), file.page('chunks', 'leaf')]),
  ],
  [
    'byte of a vector changed',
    (file) => file.changeByteOf('SELECT vector FROM vectors ORDER BY passage_id DESC'),
  ],
  ['byte of a text changed', (file) => file.changeByteOf('SELECT content FROM passages ORDER BY id DESC')],
  [
    'byte of the text index changed',
    (file) => file.changeByteOf('SELECT page FROM text_pages ORDER BY id DESC'),
  ],
  ['byte of a flow changed', (file) => file.changeByteOf('SELECT flow_data FROM flows')],
  ['replaced by a text', (file) => file.replaceByText(), UNUSABLE],
  ['replaced by a folder', (file) => file.replaceByFolder(), /^sluice: .*sluice\.db/],
  ['replaced by a database of another program', (file) => file.replaceByOtherProgram(0), REPLACED],
  ['replaced by one with a version of its own', (file) => file.replaceByOtherProgram(3), REPLACED],
  ['replaced by an older copy', (file) => file.replaceBy(`${file.file}.older`), REPLACED],
  ['replaced by one of another directory', (file) => file.replaceBy(`${file.file}.other`), REPLACED],
]

/** Damages of a database with its last changes in its log alone, since its server was killed. */
const KILLED: readonly Damage[] = [
  ['log deleted', (file) => file.removeLog({ withIndex: false }), LOG_LOST],
  ['log and its index deleted', (file) => file.removeLog({ withIndex: true }), LOG_LOST],
  ['log emptied', (file) => file.cutLog(0), LOG_LOST],
  ['log cut in half', (file) => file.cutLog(0.5), LOG_LOST],
  ['start of the log overwritten', (file) => file.noiseInLog(0.1), LOG_LOST],
  ['middle of the log overwritten', (file) => file.noiseInLog(0.5), LOG_LOST],
  ['end of the log overwritten', (file) => file.noiseInLog(1), LOG_LOST],
  ['replaced by an older copy beside a new log', (file) => file.replaceBy(`${file.file}.older`)],
]

const isExpected = (outcome: Outcome, message?: RegExp): boolean =>
  typeof outcome === 'object'
    ? (message ?? DAMAGED).test(outcome.refused)
    : outcome === 'not ready' && !message

/**
 * Damages copies of a data directory, one after another. The first damage of each message meets the program itself, all others the
 * same command line in this process. Returns what a start or `sluice verify` judged wrongly.
 */
async function misjudged(t: TestContext, directory: string, data: string, damages: readonly Damage[]) {
  const wrong: unknown[] = []
  const met = new Set<string>()
  for (const [at, [name, harm, message]] of damages.entries()) {
    const commandLine = met.has(String(message)) ? HERE : PROGRAM
    met.add(String(message))
    const copy = path.join(directory, name.replaceAll(' ', '-'))
    cpSync(data, copy, { recursive: true })
    harm(new DamagedFile(copy, at + 1))
    const outcome = await outcomeOf(t, directory, copy, commandLine)
    const { code, stdout, stderr } = await commandLine.run(['verify', '--data-dir', copy], { directory })
    if (!isExpected(outcome, message) || code !== 1 || /^\s+at /m.test(stderr))
      wrong.push([name, outcome, { code, stdout, stderr }])
    rmSync(copy, { recursive: true })
  }
  return wrong
}

test('a server with a damaged or replaced database does not start, or is not ready, for each of 32 damages [server:database-damaged]', async (t) => {
  const { directory, data } = await sound(t)
  const older = path.join(directory, 'older.db')
  copyFileSync(path.join(data, 'sluice.db'), older)
  // The second text takes the place of the first: there are free pages then.
  await serve(t, directory, { 'harbour.txt': document(12_000, 'salt') })
  renameSync(older, path.join(data, 'sluice.db.older'))
  const elsewhere = path.join(directory, 'elsewhere')
  mkdirSync(elsewhere)
  const other = await serve(t, elsewhere, { 'harbour.txt': document(40, 'tar') })
  copyFileSync(path.join(other, 'sluice.db'), path.join(data, 'sluice.db.other'))
  assert.equal(CLOSED.length, 32)
  assert.deepEqual(await misjudged(t, directory, data, CLOSED), [])
  assert.equal(await outcomeOf(t, directory, data), 'ready')
})

test('a server with a log that lost committed changes does not start, for each of 8 damages after a kill [server:database-log]', async (t) => {
  const { directory, data } = await sound(t)
  const older = path.join(directory, 'older.db')
  copyFileSync(path.join(data, 'sluice.db'), older)
  await serve(t, directory, { 'harbour.txt': document(3000, 'salt') })
  await serve(t, directory, { 'quay.txt': document(1000, 'rope') }, 'kill')
  renameSync(older, path.join(data, 'sluice.db.older'))
  assert.equal(KILLED.length, 8)
  assert.deepEqual(await misjudged(t, directory, data, KILLED), [])

  // Commands that open the database refuse too, and leave the files as they are.
  const broken = path.join(directory, 'broken')
  cpSync(data, broken, { recursive: true })
  new DamagedFile(broken, 1).noiseInLog(0.5)
  for (const command of [['key', 'list'], ['backup', 'copy.sluice'], ['verify']])
    assert.equal((await runHere([...command, '--data-dir', broken], { directory })).code, 1)
  assert.match(((await outcomeOf(t, directory, broken)) as { refused: string }).refused, LOG_LOST)
  // Without the marker the owner accepts the loss.
  rmSync(path.join(broken, 'sluice.marker'))
  assert.notEqual(typeof (await outcomeOf(t, directory, broken)), 'object')

  // A log that is whole is carried over by a command as by a server.
  assert.equal((await runHere(['key', 'list', '--data-dir', data], { directory })).code, 0)
  assert.equal(existsSync(path.join(data, 'sluice.db-wal')), false)
  assert.equal(await outcomeOf(t, directory, data), 'ready')
})

test('a server makes a new database after the database and its marker were deleted [server:database-damaged]', async (t) => {
  const { directory, data } = await sound(t)
  rmSync(path.join(data, 'sluice.db'))
  rmSync(path.join(data, 'sluice.marker'))
  assert.equal(await outcomeOf(t, directory, data), 'ready')
})

test('sluice verify finds nothing in a sound directory, beside a server too, and each kind of fault in a bad one [server:verify]', async (t) => {
  const { directory, data } = await sound(t)
  const verify = async () => {
    const { code, stdout } = await runHere(['verify', '--json'], { directory })
    const { ok, checks } = JSON.parse(stdout) as {
      ok: boolean
      checks: { check: string; findings: string[] }[]
    }
    assert.equal(ok, code === 0)
    return checks.filter(({ findings }) => findings.length > 0).map(({ check }) => check)
  }
  assert.deepEqual(await verify(), [])
  const server = await startHere(t, ['start'], { directory })
  assert.deepEqual(await verify(), [])
  server.kill('SIGTERM')
  await server.ended
  const shown = await runHere(['verify'], { directory })
  assert.match(shown.stdout, /^pages +\d+ +ok$/m)

  const writer = new Connection(path.join(data, 'sluice.db'))
  writer.run('UPDATE indexes SET chunks = chunks + 1')
  assert.deepEqual(await verify(), ['chunks'])
  writer.run('UPDATE indexes SET chunks = chunks - 1')
  writer.run('DELETE FROM vectors WHERE passage_id = (SELECT max(passage_id) FROM vectors)')
  assert.deepEqual(await verify(), ['vectors'])
  writer.run(
    'UPDATE text_segments SET gone_count = gone_count + 1 WHERE id = (SELECT max(id) FROM text_segments)',
  )
  assert.deepEqual(await verify(), ['vectors', 'postings', 'contents'])
  writer.run('DELETE FROM passage_hashes WHERE passage_id = (SELECT max(id) FROM passages)')
  assert.ok((await verify()).includes('hashes'))
  writer.exec('PRAGMA foreign_keys = OFF')
  writer.run('DELETE FROM passages WHERE id = (SELECT max(id) FROM passages)')
  assert.ok((await verify()).includes('references'))
  writer.close()
  cpSync(path.join(data, 'sluice.marker'), path.join(data, 'uploads/left-over/0'), { recursive: true })
  assert.ok((await verify()).includes('uploads'))

  const none = await runHere(['verify', '--data-dir', 'nowhere'], { directory })
  assert.equal(none.code, 1)
  assert.match(none.stderr, /^sluice: There is no database in/)
  assert.equal(existsSync(path.join(directory, 'nowhere')), false)
})
