import assert from 'node:assert/strict'
import { closeSync, cpSync, existsSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import path from 'node:path'
import { once } from 'node:events'
import { test } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { randomBelow } from '../support/random.ts'
import { launch, room, run, start } from '../support/program.ts'

/** A data directory with some documents, that a server has closed. */
async function sound(t: Parameters<typeof room>[0]): Promise<{ directory: string; data: string }> {
  const directory = room(t)
  const { url, kill, ended } = await start(t, ['start'], { directory })
  const body = new FormData()
  const lines = Array.from(
    { length: 4000 },
    (_, n) => `Berth ${n} holds ${(n * 7919) % 10_007} barrels of tar.`,
  )
  body.append('files', new File([lines.join('\n')], 'harbour.txt'))
  const loaded = await fetch(`${url}/api/v1/vector/upsert/quickstart`, { method: 'POST', body })
  assert.equal(loaded.status, 200)
  kill('SIGTERM')
  assert.equal(await ended, 0)
  return { directory, data: path.join(directory, 'sluice-data') }
}

/** What a start over a data directory comes to: the answer of `/readyz`, or the line with which it ends. */
async function startOver(t: Parameters<typeof room>[0], directory: string, data: string) {
  const server = launch(['start', '--port', '0', '--data-dir', data], { directory })
  t.after(() => server.kill('SIGKILL'))
  const ended = once(server, 'exit')
  let told = ''
  const url = await new Promise<string>((resolve) => {
    server.stderr!.setEncoding('utf8').on('data', (piece: string) => {
      told += piece
      const listening = /-listening","url":"([^"]+)"/.exec(told)
      if (listening) resolve(listening[1]!)
    })
    server.stderr!.on('end', () => resolve(''))
  })
  if (url === '') return { refused: told }
  const response = await fetch(`${url}/readyz`)
  const { code, status: state } = (await response.json()) as { code?: string; status?: string }
  const body = new FormData()
  body.append('files', new File(['The ferry leaves at noon.'], 'ferry.txt'))
  const upsert = await fetch(`${url}/api/v1/vector/upsert/quickstart`, { method: 'POST', body })
  server.kill('SIGTERM')
  await ended
  return { ready: response.status, told: code ?? state, upsert: upsert.status }
}

test('a server whose database has damaged pages is never ready: it says so and writes nothing, or does not start [server:database-damaged]', async (t) => {
  const { directory, data } = await sound(t)
  const random = randomBelow(11)
  // Pages from which the trees of tables and indexes hang. (A changed byte inside a text no check of SQLite sees.)
  const reader = new Connection(path.join(data, 'sluice.db'), { readOnly: true })
  const roots = reader
    .all<{ page: number }>('SELECT rootpage AS page FROM sqlite_schema WHERE rootpage > 1')
    .map(({ page }) => page)
  reader.close()
  const outcomes: string[] = []
  for (let round = 0; round < 6; round++) {
    const copy = path.join(directory, `copy-${round}`)
    cpSync(data, copy, { recursive: true })
    const file = openSync(path.join(copy, 'sluice.db'), 'r+')
    for (let n = 0; n < 2; n++) {
      const page = roots[random(roots.length)]!
      const noise = Uint8Array.from({ length: 8192 }, () => random(256))
      writeSync(file, noise, 0, noise.length, (page - 1) * noise.length)
    }
    closeSync(file)
    const outcome = await startOver(t, directory, copy)
    outcomes.push(JSON.stringify(outcome))
    if ('refused' in outcome) assert.match(outcome.refused!, /sluice: The database/)
    else assert.deepEqual(outcome, { ready: 503, told: 'database_damaged', upsert: 503 })
    const verified = await run(['verify', '--data-dir', copy], { directory })
    assert.equal(verified.code, 1, verified.stdout)
    assert.doesNotMatch(verified.stderr, /^\s+at /m)
  }
  assert.equal(outcomes.length, 6)
})

test('a server never takes a database that was truncated, emptied or deleted for a new one [server:database-damaged]', async (t) => {
  const { directory, data } = await sound(t)
  const { size } = statSync(path.join(data, 'sluice.db'))
  const broken = async (name: string, harm: (file: string) => void) => {
    const copy = path.join(directory, name)
    cpSync(data, copy, { recursive: true })
    harm(path.join(copy, 'sluice.db'))
    return startOver(t, directory, copy)
  }
  for (const [name, harm] of [
    ['deleted', (file: string) => rmSync(file)],
    ['emptied', (file: string) => truncateSync(file, 0)],
  ] as const) {
    const outcome = await broken(name, harm)
    assert.match(outcome.refused!, /is missing or empty, though this data directory had one/)
    assert.match(outcome.refused!, /to begin anew on purpose, delete sluice\.marker and sluice\.db/)
  }
  for (const [name, left] of [
    ['half', Math.floor(size / 16_384) * 8192],
    ['one page', 8192],
  ] as const) {
    const outcome = await broken(name, (file) => truncateSync(file, left))
    if ('refused' in outcome) assert.match(outcome.refused!, /sluice: The database/)
    else assert.deepEqual([outcome.ready, outcome.told], [503, 'database_damaged'])
  }
  // On purpose it begins anew.
  const anew = await broken('anew', (file) => {
    rmSync(file)
    rmSync(path.join(path.dirname(file), 'sluice.marker'))
  })
  assert.deepEqual([anew.ready, anew.upsert], [200, 200])
})

test('sluice verify finds nothing in a sound directory, beside a server too, and each kind of fault in a bad one [server:verify]', async (t) => {
  const { directory, data } = await sound(t)
  const verify = async () => {
    const { code, stdout } = await run(['verify', '--json'], { directory })
    const { ok, checks } = JSON.parse(stdout) as {
      ok: boolean
      checks: { check: string; findings: string[] }[]
    }
    assert.equal(ok, code === 0)
    return checks.filter(({ findings }) => findings.length > 0).map(({ check }) => check)
  }
  assert.deepEqual(await verify(), [])
  const server = await start(t, ['start'], { directory })
  assert.deepEqual(await verify(), [])
  server.kill('SIGTERM')
  await server.ended
  const shown = await run(['verify'], { directory })
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
  writer.exec('PRAGMA foreign_keys = OFF')
  writer.run('DELETE FROM passages WHERE id = (SELECT max(id) FROM passages)')
  assert.ok((await verify()).includes('references'))
  writer.close()
  cpSync(path.join(data, 'sluice.marker'), path.join(data, 'uploads/left-over/0'), { recursive: true })
  assert.ok((await verify()).includes('uploads'))

  const none = await run(['verify', '--data-dir', 'nowhere'], { directory })
  assert.equal(none.code, 1)
  assert.match(none.stderr, /^sluice: There is no database in/)
  assert.equal(existsSync(path.join(directory, 'nowhere')), false)
})
