import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../kit/json.ts'
import { bulkWriter } from './bulk.ts'
import type { EngineCall, EngineServer } from './engine-server.ts'
import { engineWait } from './engine-wait.ts'

const ACTIONS = Array.from({ length: 8 }, (_, at) => ({
  action: { index: { _id: `${at}` } },
  document: { at },
}))

type Answer = { status: number; body?: Json }

/** A server that answers calls by the ids of their actions; `calls` has the ids of each. */
function serverThat(answer: (ids: string[]) => Answer) {
  const calls: string[][] = []
  const server: EngineServer = {
    async call({ lines = [] }: EngineCall) {
      const ids = lines.flatMap((line) =>
        'index' in (line as JsonObject) ? [((line as JsonObject).index as JsonObject)._id as string] : [],
      )
      calls.push(ids)
      return { headers: new Headers(), body: undefined, ...answer(ids) }
    },
    failure: (reason) => new Error(reason),
    pause: async () => {},
    wait: () => engineWait({ server: 'The engine', timeoutMs: 60_000, attempts: 5, hasAnswered: () => true }),
  }
  return { server, calls }
}

const item = (status: number, error?: JsonObject): JsonObject => ({
  index: { status, ...(error ? { error } : {}) },
})
const FLOOD = {
  type: 'cluster_block_exception',
  reason: 'index [a] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark]',
}

test('a call that the server has no room for is sent in halves', async () => {
  const { server, calls } = serverThat((ids) =>
    ids.length > 2
      ? { status: 429, body: { error: { type: 'rejected_execution_exception', reason: 'memory' } } }
      : { status: 200, body: { items: ids.map(() => item(201)) } },
  )
  await bulkWriter(server)(ACTIONS)
  const sizes = calls.map(({ length }) => length)
  assert.deepEqual(sizes.slice(0, 3), [8, 4, 2])
  assert.deepEqual(calls.filter(({ length }) => length <= 2).flat(), ['0', '1', '2', '3', '4', '5', '6', '7'])
})

test('actions that the server was too busy for are sent again, those that it took are not', async () => {
  const taken = new Set<string>()
  const { server, calls } = serverThat((ids) => ({
    status: 200,
    body: {
      items: ids.map((id, at) => {
        if (at > 0) return item(429, { type: 'rejected_execution_exception', reason: 'queue' })
        assert.ok(!taken.has(id), `${id} twice`)
        taken.add(id)
        return item(201)
      }),
    },
  }))
  await bulkWriter(server)(ACTIONS)
  assert.equal(taken.size, 8)
  // A little progress each time is no reason to give up.
  assert.equal(calls.length, 8)
})

test('a server that takes nothing is named with its reason and the count of writes', async () => {
  const { server, calls } = serverThat((ids) => ({
    status: 200,
    body: { items: ids.map(() => item(429, FLOOD)) },
  }))
  await assert.rejects(bulkWriter(server)(ACTIONS), {
    message: 'disk flood stage: 8 of 8 writes',
  })
  assert.deepEqual(
    calls.map(({ length }) => length),
    [8, 4, 2, 1, 1],
  )
})

test('refusals are counted by their reasons, and a reason that may quote a document is not told', async () => {
  const { server } = serverThat((ids) => ({
    status: 200,
    body: {
      items: ids.map((_, at) =>
        at === 0
          ? item(201)
          : at < 3
            ? item(403, { type: 'index_closed_exception', reason: 'closed' })
            : item(400, { type: 'mapper_parsing_exception', reason: "Preview of field's value: 'secret'" }),
      ),
    },
  }))
  await assert.rejects(bulkWriter(server)(ACTIONS), {
    message: 'closed index: 2 of 8 writes; 400 mapper_parsing_exception: 5 of 8 writes',
  })
})
