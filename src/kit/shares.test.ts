import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShares } from './shares.ts'

test('compare() prefers the owner with less in work, then the one that was served longer ago', () => {
  const shares = createShares()
  assert.equal(shares.compare('a', 'b'), 0)
  shares.begin('a')
  assert.ok(shares.compare('b', 'a') < 0)
  shares.begin('b')
  assert.ok(shares.compare('a', 'b') < 0, 'both have one, and a began first')
  shares.end('b')
  assert.ok(shares.compare('b', 'a') < 0, 'b has none')
  shares.end('a')
  assert.ok(shares.compare('a', 'b') < 0)
  assert.ok(shares.compare('new', 'a') < 0, 'an owner that was never served comes first')
})

test('end() of an owner without work changes nothing', () => {
  const shares = createShares()
  shares.end('a')
  shares.begin('a')
  shares.end('a')
  shares.end('a')
  assert.equal(shares.inWork('a'), 0)
  shares.begin('a')
  assert.equal(shares.inWork('a'), 1)
})

test('begin() drops the owners that were served longest ago, and none with work', () => {
  const shares = createShares()
  shares.begin('busy')
  for (let at = 0; at < 20_000; at++) {
    shares.begin(`owner ${at}`)
    shares.end(`owner ${at}`)
  }
  assert.equal(shares.inWork('busy'), 1)
  assert.equal(shares.compare('owner 0', 'never'), 0, 'forgotten: as if never served')
  assert.ok(shares.compare('owner 0', 'owner 19999') < 0)
})
