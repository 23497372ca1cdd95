import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
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
const LEAST = 3

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

/** A text index of some segments that are to be merged, and what is found in it. */
async function segmented(t: TestContext) {
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
  return { connection, indexId, file, found, wanted }
}

test('a large merge of the text index that is killed at any step loses no passage and leaves nothing behind', async (t) => {
  let index = await segmented(t)
  const random = randomBelow(31)
  let killed = 0
  for (let round = 0; round < KILLS || (killed < LEAST && round < 10 * KILLS); round++) {
    const wasKilled = await mergeUntilKilled(index.file, index.indexId, 1 + random(6), random(12))
    const reopened = new Connection(index.file)
    assert.deepEqual(index.found(reopened), index.wanted)
    reopened.close()
    if (wasKilled) killed++
    // On a busy machine the kill may come too late: then there is nothing left to merge.
    else index = await segmented(t)
  }
  assert.ok(killed >= LEAST, `${killed} were killed`)
  const { connection, indexId, found, wanted } = index
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
