import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressRota } from './address-rota.ts'

test('addressRota() gives each address its turn', () => {
  const rota = addressRota(['a', 'b', 'c'])
  assert.deepEqual(
    [rota.order(), rota.order(), rota.order(), rota.order()].map((order) => order.join('')),
    ['abc', 'bca', 'cab', 'abc'],
  )
})

test('addressRota() leaves out one that fails, for longer each time, and keeps it as the last resort', () => {
  let time = 0
  const rota = addressRota(['a', 'b'], () => time)
  const isFirst = () => [rota.order()[0], rota.order()[0]].includes('a')
  rota.failed('a')
  assert.deepEqual(
    [rota.order(), rota.order()],
    [
      ['b', 'a'],
      ['b', 'a'],
    ],
  )
  time = 15_000
  assert.ok(isFirst())
  rota.failed('a')
  time = 44_999
  assert.ok(!isFirst())
  time = 45_000
  assert.ok(isFirst())
  for (let times = 0; times < 20; times++) rota.failed('a')
  time += 239_999
  assert.ok(!isFirst())
  time += 1
  assert.ok(isFirst())
  rota.answered('a')
  rota.failed('a')
  time += 15_000
  assert.ok(isFirst())
})

test('addressRota() begins with the one that is due next where all are left out', () => {
  let time = 0
  const rota = addressRota(['a', 'b'], () => time)
  rota.failed('b')
  time = 1
  rota.failed('a')
  assert.deepEqual(
    [rota.order(), rota.order()],
    [
      ['b', 'a'],
      ['b', 'a'],
    ],
  )
})
