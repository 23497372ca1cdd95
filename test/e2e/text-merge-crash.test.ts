import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { naturalText } from '../../bench/support/natural.ts'
import { contentSteps } from '../../src/db/sqlite/contents.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { textIndex } from '../../src/db/sqlite/text-index.ts'
import { searchText } from '../../src/db/sqlite/text-search.ts'
import { textSegmentsOf } from '../../src/db/sqlite/text-segments.ts'
import { questionTerms } from '../../src/text/terms/question.ts'
import { randomBelow } from '../support/random.ts'
import { emptyTextIndex, writePassages } from '../support/text-index.ts'

const CHILD = fileURLToPath(new URL('../support/merge-child.ts', import.meta.url))
const SEGMENTS = 9
const EACH = 4200
const KILLS = 8

/** Merges in a child process, which is killed so many milliseconds after it reported a step. Returns whether it was killed. */
async function mergeUntilKilled(
  file: string,
  indexId: number,
  step: number,
  after: number,
): Promise<boolean> {
  const child = fork(CHILD, [file, String(indexId)])
  child.on('message', (done) => {
    if (done === step) setTimeout(() => child.kill('SIGKILL'), after)
  })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal === 'SIGKILL'
}

test('a large merge of the text index that is killed at any step loses no passage and leaves nothing behind', async (t) => {
  const { connection, indexId, file } = await emptyTextIndex(t)
  for (let segment = 0; segment < SEGMENTS; segment++) {
    const words = naturalText(EACH * 130, segment + 1).split(' ')
    writePassages(
      connection,
      indexId,
      Array.from({ length: EACH }, (_, at): [number, string] => [
        1 + segment * EACH + at,
        `${words.slice(at * 20, at * 20 + 20).join(' ')} heron`,
      ]),
    )
  }
  textIndex.remove(connection, indexId, [3, 4500, 30_000])
  const questions = ['heron ba ce', 'wi xo', 'bale cehi dina'].map(questionTerms)
  /** The scores change a little when removed passages no longer count; the passages may not. */
  const found = (from: Connection) =>
    questions.map((terms) => [...searchText(from, indexId, terms)].map(({ id }) => id).sort((a, b) => a - b))
  const wanted = found(connection)
  assert.equal(wanted[0]!.length, SEGMENTS * EACH - 3)
  const random = randomBelow(31)
  let killed = 0
  for (let round = 0; round < KILLS; round++) {
    if (await mergeUntilKilled(file, indexId, 1 + random(6), random(12))) killed++
    const reopened = new Connection(file)
    assert.deepEqual(found(reopened), wanted)
    reopened.close()
  }
  assert.ok(killed >= 3, `${killed} of ${KILLS} were killed`)
  while (connection.transaction(() => textIndex.tend(connection, indexId)));
  assert.deepEqual(found(connection), wanted)
  const [segment, ...others] = textSegmentsOf(connection, indexId)
  assert.deepEqual(others, [])
  assert.deepEqual(connection.all('SELECT * FROM text_leftovers'), [])
  assert.deepEqual(
    connection.all('SELECT DISTINCT segment_id AS id FROM text_pages').map(({ id }) => id),
    [segment!.id],
  )
  for (const step of contentSteps(connection)) assert.equal(step.damaged, 0, step.table)
})
