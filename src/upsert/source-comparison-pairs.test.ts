import assert from 'node:assert/strict'
import { test } from 'node:test'
import { between, seeded } from '../../test/support/splitter-oracle.ts'
import type { KnownText } from '../contract/ledger.ts'
import { type EqualTexts, listedTexts, ManyEqualTexts } from './equal-texts.ts'
import { Reconciler } from './source-comparison.ts'

type Known = KnownText['chunks']

const held = (id: number, metadataHash: string) => ({ id, metadataHash, fresh: false })
const fresh = (id: number, metadataHash: string) => ({ id, metadataHash, fresh: true })

const same = held(1, 'mine')
const other = held(2, 'another')

// What the source has of this text, whether the pair is on its way already, and what follows for chunk and store.
for (const [name, known, repeated, verdict, states] of [
  ['an unknown text', [], false, 'add', {}],
  ['an unknown text for the second time', [], true, 'skip', {}],
  ['the same pair', [same], false, 'skip', { 1: 'kept' }],
  ['the same text with other metadata', [other], false, 'update', { 2: 'replaced' }],
  ['both', [other, same], false, 'skip', { 1: 'kept', 2: 'missing' }],
  ['other metadata, again', [other], true, 'skip', { 2: 'missing' }],
  ['the same pair of this run', [fresh(3, 'mine')], false, 'skip', { 3: 'missing' }],
  ['other metadata of this run', [fresh(3, 'another')], false, 'add', { 3: 'missing' }],
  ['other metadata of this run and of the store', [fresh(3, 'x'), other], false, 'update', { 2: 'replaced' }],
] as [string, Known, boolean, string, Record<number, string>][])
  test(`take() judges a chunk where the source has ${name}: ${verdict}`, () => {
    const reconciler = new Reconciler()
    const kept = states[same.id] === 'kept' ? { kept: same } : {}
    const replaced = states[other.id] === 'replaced' ? { replaced: other.id } : {}
    const result = { verdict, revokedUpdate: false, ...kept, ...replaced }
    assert.deepEqual(reconciler.take(known, 'mine', repeated), result)
    // Only the first chunk of the run says which chunk stays.
    if (states[same.id] === 'kept') assert.equal(reconciler.take(known, 'mine', false).kept, undefined)
    for (const [id, state] of Object.entries(states)) assert.equal(reconciler.stateOf(Number(id)), state)
  })

test('take() pairs equal texts in order of appearance, and what finds no partner is added', () => {
  const reconciler = new Reconciler()
  const known = [held(1, 'a'), held(2, 'b')]
  const verdicts = ['x', 'y', 'z'].map((hash) => reconciler.take(known, hash, false).verdict)
  assert.deepEqual(verdicts, ['update', 'update', 'add'])
  assert.deepEqual([reconciler.stateOf(1), reconciler.stateOf(2)], ['replaced', 'replaced'])
})

test('take() gives an equal pair back when its partner was given away: the earlier chunk counts as added', () => {
  const reconciler = new Reconciler()
  const known = [held(1, 'a')]
  assert.deepEqual(reconciler.take(known, 'x', false), {
    verdict: 'update',
    revokedUpdate: false,
    replaced: 1,
  })
  assert.deepEqual(reconciler.take(known, 'a', false), {
    verdict: 'skip',
    revokedUpdate: true,
    kept: known[0],
  })
  assert.equal(reconciler.stateOf(1), 'kept')
})

test('take() lets the earlier chunk have another partner where there is one', () => {
  const reconciler = new Reconciler()
  const known = [held(1, 'a'), held(2, 'b')]
  reconciler.take(known, 'x', false)
  assert.deepEqual(reconciler.take(known, 'a', false), {
    verdict: 'skip',
    revokedUpdate: false,
    kept: known[0],
  })
  assert.deepEqual([reconciler.stateOf(1), reconciler.stateOf(2)], ['kept', 'replaced'])
  assert.deepEqual(reconciler.take(known, 'y', false), { verdict: 'add', revokedUpdate: false })
})

/** All chunks at once: equal pairs first, then what is left in order. */
function oracle(store: readonly string[], run: readonly string[]) {
  const distinct = [...new Set(run)]
  const kept = distinct.filter((hash) => store.includes(hash))
  const open = distinct.length - kept.length
  const update = Math.min(open, store.length - kept.length)
  return {
    counts: { skip: run.length - open, update, add: open - update },
    kept,
    missing: store.length - kept.length - update,
  }
}

// The list that a few equal texts have, and what many equal texts have in memory: both follow the same rules.
for (const [name, equalTexts, letters, rounds] of [
  ['a few equal texts', listedTexts, 8, 3000],
  ['many equal texts', inMemory, 8, 3000],
  ['several hundred equal texts', inMemory, 400, 40],
] as [string, (known: Known) => EqualTexts, number, number][])
  test(`take() gives the same counts as a comparison of all chunks at once, for any order of ${name}`, () => {
    const random = seeded(20)
    const hashes = Array.from({ length: letters }, (_, i) => i.toString(36).padStart(2, '.'))
    for (let round = 0; round < rounds; round++) {
      const store = hashes.filter(() => random() < 0.4)
      const length = between(random, 0, letters + letters / 2)
      const run = Array.from({ length }, () => hashes[between(random, 0, letters - 1)]!)
      const known = store.map((hash, id) => held(id, hash))
      const equal = equalTexts(known)
      const reconciler = new Reconciler()
      const counts = { skip: 0, update: 0, add: 0 }
      const seen = new Set<string>()
      for (const hash of run) {
        const { verdict, revokedUpdate } = reconciler.take(
          equal,
          hash,
          !(equal instanceof ManyEqualTexts) && seen.has(hash),
        )
        seen.add(hash)
        if (equal instanceof ManyEqualTexts && verdict !== 'skip') equal.bring(hash)
        counts[verdict]++
        if (revokedUpdate) {
          counts.update--
          counts.add++
        }
      }
      const expected = oracle(store, run)
      const states = known.map(({ id }) => reconciler.stateOf(id))
      const of = (state: string) => store.filter((_, id) => states[id] === state)
      const where = `store ${store.join('')} run ${run.join('')}`
      assert.deepEqual(counts, expected.counts, where)
      assert.deepEqual(of('kept').sort(), expected.kept.sort(), where)
      assert.equal(of('replaced').length, expected.counts.update, where)
      assert.equal(of('missing').length, expected.missing, where)
    }
  })

function inMemory(chunks: Known): EqualTexts {
  return new ManyEqualTexts({ embedded: true, chunks }, [])
}
