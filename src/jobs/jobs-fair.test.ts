import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { gate, gated, jobDesk, until } from '../../test/support/job-desk.ts'

const never = new AbortController().signal
const A = { owner: 'key:a' }
const B = { owner: 'key:b' }

test('the jobs of one key take turns with the fifty that another key has sent earlier [upsert:job:turns]', async (t) => {
  const door = gate()
  const { jobs, submit, embedder } = await jobDesk(t).open({ embedder: gated(door), slots: 1 })
  const ids: string[] = []
  for (let n = 0; n < 50; n++) ids.push(await submit({ a: [`a${n}`] }, A))
  await door.arrived
  for (const n of [0, 1]) ids.push(await submit({ b: [`b${n}`] }, { ...B, space: 'of b' }))
  const places = await Promise.all(ids.slice(-2).map(async (id) => (await jobs.find(id))?.place))
  assert.deepEqual(places, [1, 3])
  door.let()
  for (const id of ids) await jobs.result(id)
  assert.deepEqual(embedder.embedded().slice(0, 5), ['a0', 'b0', 'a1', 'b1', 'a2'])
})

test('keys take turns also in one namespace, and the jobs of one stay in order [upsert:job:turns]', async (t) => {
  const door = gate()
  const { jobs, submit, embedder } = await jobDesk(t).open({ embedder: gated(door) })
  const ids: string[] = []
  for (const n of [0, 1, 2]) ids.push(await submit({ a: [`a${n}`] }, A))
  await door.arrived
  for (const n of [0, 1]) ids.push(await submit({ b: [`b${n}`] }, B))
  door.let()
  for (const id of ids) await jobs.result(id)
  assert.deepEqual(embedder.embedded(), ['a0', 'b0', 'a1', 'b1', 'a2'])
})

test('a spare place is for a key that has nothing running [upsert:job:turns]', async (t) => {
  const door = gate()
  const { jobs, submit } = await jobDesk(t).open({ embedder: gated(door), slots: 2, spare: 1 })
  const of = async (owner: string, space: string) => submit({ a: [space] }, { owner, space })
  const ids = [await of('key:a', 'a1'), await of('key:a', 'a2'), await of('key:a', 'a3')]
  ids.push(await of('key:b', 'b1'), await of('key:b', 'b2'), await of('key:c', 'c1'))
  const states = async () => Promise.all(ids.map(async (id) => (await jobs.find(id))!.state))
  await until(async () => (await states()).join() === 'running,running,queued,running,queued,queued')
  door.let()
  for (const id of ids) await jobs.result(id)
})

test('so many jobs of one key may wait; those of others are still taken [upsert:job:share]', async (t) => {
  const door = gate()
  const { jobs, submit } = await jobDesk(t).open({ embedder: gated(door), queueLimit: 20, ownerLimit: 3 })
  const first = await submit({ a: ['0'] }, A)
  await door.arrived
  // All at once: they do not pass the limit together.
  const sent = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => submit({ a: [`${n}`] }, A)))
  const ids = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  assert.equal(ids.length, 3)
  const refusal = {
    code: 'queue_share_full',
    status: 429,
    facts: { limit: 3, retryAfter: 30, whose: 'this key' },
  }
  await assert.rejects(submit({ a: ['more'] }, A), refusal)
  assert.throws(() => jobs.checkRoom(A.owner), refusal)
  jobs.checkRoom(B.owner)
  ids.push(await submit({ b: ['1'] }, B))
  door.let()
  for (const id of [first, ...ids]) await jobs.result(id)
  ids.push(await submit({ a: ['later'] }, A))
  await jobs.result(ids.at(-1)!)
})

test('whoever follows a waiting job is told its place, and each new one [upsert:job:place]', async (t) => {
  const door = gate()
  const { jobs, submit } = await jobDesk(t).open({ embedder: gated(door), slots: 1 })
  const first = await submit({ a: ['0'] }, A)
  await door.arrived
  assert.equal((await jobs.find(first))?.place, undefined, 'it runs')
  const second = await submit({ a: ['1'] }, A)
  const third = await submit({ a: ['2'] }, A)
  const seen = collect(jobs.events(third, { signal: never }))
  await until(async () => (await jobs.find(third))?.place === 2)
  await jobs.cancel(second)
  await until(async () => (await jobs.find(third))?.place === 1)
  door.let()
  const places = (await seen).map(({ place }) => place)
  assert.equal(places[0], 2)
  assert.equal(places.at(-1), undefined)
  for (const id of [first, third]) await jobs.result(id)
})

test('after a restart jobs have the owner that they had', async (t) => {
  const desk = jobDesk(t)
  const door = gate()
  const before = await desk.open({ embedder: gated(door), slots: 1 })
  await before.submit({ a: ['0'] }, A)
  await door.arrived
  const waiting = await before.submit({ b: ['1'] }, { ...B, space: 'of b' })
  door.let()
  await before.close()
  const { jobs } = await desk.open({})
  assert.equal((await jobs.find(waiting))?.owner, B.owner)
  await jobs.result(waiting)
})
