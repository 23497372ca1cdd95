import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { SluiceError } from '../../kit/errors.ts'
import { createRequestQueue, type EndRequest, type RequestWork, type ShedReason } from './request-queue.ts'

/** A queue whose event loop the test turns by hand, and the names of the requests that have begun. */
function gate(limits: { most?: number; mostInWork?: number } = {}) {
  const due: (() => void)[] = []
  const shed: ShedReason[] = []
  const begun: string[] = []
  const ends = new Map<string, EndRequest>()
  const queue = createRequestQueue({
    most: 1000,
    mostInWork: 1000,
    ...limits,
    onShed: (reason) => shed.push(reason),
    later: (next) => due.push(next),
  })
  /** Sends a request; its name begins with the letter of its owner. */
  async function send(name: string, work: Exclude<RequestWork, 'free'> = 'short', signal?: AbortSignal) {
    const end = await queue.take(name[0]!, work, signal && (() => signal))
    begun.push(name)
    ends.set(name, end)
  }
  return {
    queue,
    shed,
    begun,
    send,
    /** One turn of the event loop. */
    async turn() {
      due.shift()?.()
      await setImmediate()
    },
    async end(name: string) {
      ends.get(name)!()
      await setImmediate()
    },
  }
}

const busy = { code: 'server_busy', status: 503, facts: { retryAfter: 1 } }

test('take() begins one request in each turn of the event loop, however many have arrived [limits:requests:turns]', async () => {
  const { queue, begun, send, turn } = gate()
  const all = ['a1', 'a2', 'a3'].map((name) => send(name))
  await setImmediate()
  assert.deepEqual([begun.join(), queue.load()], ['a1', { waiting: 2, inWork: 1 }])
  await turn()
  assert.equal(begun.join(), 'a1,a2')
  await turn()
  assert.equal(begun.join(), 'a1,a2,a3')
  await Promise.all(all)
  await turn()
  await send('a4')
  assert.equal(begun.at(-1), 'a4', 'at once where nothing waits and nothing has begun in this turn')
})

test('take() lets keys take turns: a request of one comes after as many of another, not after its whole queue [limits:requests:turns]', async () => {
  const { begun, send, turn, end } = gate({ mostInWork: 1 })
  const all = Array.from({ length: 100 }, (_, n) => send(`a${n}`))
  all.push(send('b0'), send('b1'), send('c0'))
  for (let n = 0; n < 7; n++) {
    await turn()
    await end(begun.at(-1)!)
  }
  await turn()
  assert.deepEqual(begun.slice(0, 7), ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3'])
  while (begun.length < 103) {
    await end(begun.at(-1)!)
    await turn()
  }
  await Promise.all(all)
})

test('take() leaves room for others among those in work: one key has three quarters of the places [limits:requests:turns]', async () => {
  const { queue, begun, send, turn, end } = gate({ mostInWork: 4 })
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => send(name))
  for (let n = 0; n < 5; n++) await turn()
  assert.equal(begun.join(), 'a1,a2,a3')
  all.push(send('b1'), send('b2'))
  for (let n = 0; n < 3; n++) await turn()
  assert.equal(begun.join(), 'a1,a2,a3,b1')
  assert.deepEqual(queue.load(), { waiting: 3, inWork: 4 })
  await end('a1')
  await turn()
  assert.equal(begun.at(-1), 'b2', 'the key with less in work')
  all.push(send('a6', 'waiting'))
  await turn()
  assert.equal(begun.at(-1), 'a6', 'one that waits for others takes no place')
  for (const name of ['a2', 'a3', 'b1', 'b2', 'a6']) await end(name)
  for (let n = 0; n < 3; n++) await turn()
  await Promise.all(all)
  for (const name of ['a4', 'a5', 'a5']) await end(name)
  assert.deepEqual(queue.load(), { waiting: 0, inWork: 0 })
})

test('take() refuses a key more than three quarters of all requests, and takes those of another [limits:requests:shed]', async () => {
  const { queue, shed, send, turn } = gate({ most: 8, mostInWork: 1 })
  const sent = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => send(name))
  await assert.rejects(send('a7'), busy)
  assert.deepEqual(shed, ['key'])
  sent.push(send('b1'), send('b2'))
  // All is full: a key with less takes the place of the newest request of the key with the most.
  const dropped = assert.rejects(sent[5]!, busy)
  sent.push(send('c1'))
  await dropped
  assert.deepEqual(shed, ['key', 'requests'])
  await turn()
  assert.deepEqual(queue.load(), { waiting: 7, inWork: 1 })
  for (const one of sent) one.catch(() => {})
})

test('take() refuses where all requests are in work and none waits', async () => {
  const { shed, send, turn, end } = gate({ most: 2 })
  const one = send('a1', 'waiting')
  await turn()
  const two = send('b1', 'waiting')
  await turn()
  await Promise.all([one, two])
  await assert.rejects(send('c1', 'waiting'), busy)
  assert.deepEqual(shed, ['requests'])
  await end('a1')
  await send('c2', 'waiting')
})

test('take() forgets a request whose client leaves while it waits', async () => {
  const { queue, begun, send, turn } = gate()
  const first = send('a1')
  const leaving = new AbortController()
  const second = assert.rejects(send('a2', 'short', leaving.signal), { code: 'cancelled' })
  const third = send('a3')
  leaving.abort(new SluiceError('cancelled'))
  await second
  await turn()
  await Promise.all([first, third])
  assert.equal(begun.join(), 'a1,a3')
  await assert.rejects(send('a4', 'short', leaving.signal), { code: 'cancelled' })
  assert.deepEqual(queue.load(), { waiting: 0, inWork: 2 })
})
