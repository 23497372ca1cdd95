import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataShaper } from './metadata.ts'

const own = { source: 'a.pdf', loc: { pageNumber: 2, lines: { from: 1 } }, 'col.one': 'x', team: 'own' }

// The metadata of the flow, its omitted keys, the metadata of the request, and the result.
for (const [name, metadata, omitMetadataKeys, added, expected] of [
  ['no inputs', {}, '', {}, own],
  ['later keys winning', { team: 'flow', a: 1 }, '', { a: 2 }, { ...own, team: 'flow', a: 2 }],
  ['keys omitted', {}, ' team , col.one,gone', {}, { source: 'a.pdf', loc: own.loc }],
  ['a path omitted', {}, 'loc.lines', {}, { ...own, loc: { pageNumber: 2 } }],
  ['a path to nowhere', {}, 'loc.gone.deep,team.x', {}, own],
  ['all keys of the document omitted', { a: 1 }, '*', { b: 2 }, { a: 1, b: 2 }],
  ['added keys omitted too', { a: 1 }, '*,a', { b: 2 }, { b: 2 }],
] as const)
  test(`metadataShaper() with ${name}`, () => {
    const before = structuredClone(own)
    assert.deepEqual(metadataShaper({ metadata, omitMetadataKeys })(own, added), expected)
    assert.deepEqual(own, before)
  })
