import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from './event.ts'
import { EventStore } from './store.ts'

const details = { name: 'Choir', date: '2025-01-01T10:00:00', location: 'Bern' }
const event = (id: string, name = 'Choir'): Event => ({ ...details, id, name })
const idsOf = (store: EventStore): string[] => store.list().map(({ id }) => id)

test('EventStore begins with its own copy of the five events [events:seed]', () => {
  const store = new EventStore()
  store.remove('3')
  store.replace('1', details)
  assert.deepEqual(idsOf(store), ['1', '2', '4', '5'])
  assert.equal(new EventStore().find('1')!.name, 'Tech Conference 2024')
  assert.deepEqual(idsOf(new EventStore()), ['1', '2', '3', '4', '5'])
})

test('append() keeps the order of insertion, replace() keeps the position, remove() leaves no gap', () => {
  const store = new EventStore([event('a'), event('b'), event('c')])
  store.append(event('d'))
  assert.deepEqual(store.replace('b', { ...details, name: 'Band' }), event('b', 'Band'))
  store.remove('a')
  store.append(event('a'))
  assert.deepEqual(idsOf(store), ['b', 'c', 'd', 'a'])
  assert.equal(store.size, 4)
})

test('find(), replace() and remove() use the oldest of several events with the same id [events:create:duplicate-id]', () => {
  const store = new EventStore([event('x', 'first'), event('y'), event('x', 'second'), event('x', 'third')])
  assert.equal(store.find('x')!.name, 'first')
  store.replace('x', { ...details, name: 'changed' })
  assert.deepEqual(
    store.list().map(({ name }) => name),
    ['changed', 'Choir', 'second', 'third'],
  )
  for (const name of ['second', 'third']) {
    assert.equal(store.remove('x'), true)
    assert.equal(store.find('x')!.name, name)
  }
  assert.equal(store.remove('x'), true)
  assert.equal(store.find('x'), undefined)
  assert.equal(store.remove('x'), false)
  store.append(event('x', 'again'))
  assert.equal(store.find('x')!.name, 'again')
  assert.deepEqual(idsOf(store), ['y', 'x'])
})

test('find() takes ids as exact texts, names of Object.prototype included [events:get]', () => {
  const store = new EventStore([event('1')])
  for (const id of ['01', '1 ', '', '__proto__', 'constructor']) assert.equal(store.find(id), undefined)
  store.append(event('__proto__'))
  assert.equal(store.find('__proto__')!.id, '__proto__')
  assert.equal(store.replace('toString', details), undefined)
})

test('list() is a copy that later changes do not affect', () => {
  const store = new EventStore([event('a')])
  const before = store.list()
  store.replace('a', { ...details, name: 'Band' })
  store.remove('a')
  assert.deepEqual(before, [event('a')])
})

test('EventStore behaves like a plain array under a thousand random operations', () => {
  const store = new EventStore([])
  const list: Event[] = []
  let state = 1
  const random = (below: number): number => {
    state = (state * 48271) % 2147483647
    return state % below
  }
  for (let step = 0; step < 1000; step++) {
    const id = String(random(12))
    const index = list.findIndex((one) => one.id === id)
    const kind = random(5)
    if (kind < 2) {
      list.push(event(id, `n${step}`))
      store.append(event(id, `n${step}`))
    } else if (kind === 2) {
      if (index >= 0) list[index] = event(id, `n${step}`)
      assert.deepEqual(store.replace(id, { ...details, name: `n${step}` }), list[index])
    } else {
      assert.equal(store.remove(id), index >= 0)
      if (index >= 0) list.splice(index, 1)
    }
    assert.deepEqual(
      store.find(id),
      list.find((one) => one.id === id),
    )
    assert.deepEqual(store.list(), list)
  }
})

test('EventStore removes a hundred thousand events of one id, oldest first', () => {
  const store = new EventStore([])
  for (let index = 0; index < 100_000; index++) store.append(event('same', String(index)))
  for (let index = 0; index < 100_000; index++) {
    if (store.find('same')!.name !== String(index)) assert.fail(`out of order at ${index}`)
    store.remove('same')
  }
  assert.equal(store.size, 0)
})
