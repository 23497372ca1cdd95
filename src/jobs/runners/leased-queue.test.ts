import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnsOfNodes } from './leased-queue.ts'

/** Lanes of nodes, of which each taking and each release is noted. */
function lanes() {
  const events: string[] = []
  return {
    events,
    async take(lane: string) {
      events.push(`take ${lane}`)
      return {
        lane,
        epoch: 1,
        lost: new AbortController().signal,
        async release() {
          events.push(`release ${lane}`)
        },
      }
    },
  }
}

test('run() takes the lane for each work, and gives it back once what keeps the turn has settled', async () => {
  const nodes = lanes()
  const turns = turnsOfNodes(nodes)
  const rest = Promise.withResolvers<void>()
  const result = await turns.run('a', async (turn) => {
    turn.keepUntil(rest.promise)
    nodes.events.push('first')
    return 7
  })
  const second = turns.run('a', async () => void nodes.events.push('second'))
  await new Promise(setImmediate)
  assert.deepEqual([result, nodes.events], [7, ['take a', 'first']])
  rest.reject(new Error('a failed sweep'))
  await second
  await turns.idle()
  assert.deepEqual(nodes.events, ['take a', 'first', 'release a', 'take a', 'second', 'release a'])
})

test('run() gives the lane back when the work fails', async () => {
  const nodes = lanes()
  const turns = turnsOfNodes(nodes)
  await assert.rejects(
    turns.run('a', () => Promise.reject(new Error('the work'))),
    /the work/,
  )
  await turns.idle()
  assert.deepEqual(nodes.events, ['take a', 'release a'])
})
