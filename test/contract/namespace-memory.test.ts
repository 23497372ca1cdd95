import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { bytesOfNamespace } from '../support/namespace-memory.ts'

/** The bytes of a vector of 256 numbers, with its id. */
const VECTOR_BYTES = 300

for (const [chunks, namespaces] of [
  [1, 300],
  [60, 100],
] as const)
  test(`a namespace of ${chunks} chunks takes memory by its content [search:small-images]`, async (t) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sluice-namespaces-'))
    t.after(() => rmSync(directory, { recursive: true, force: true }))
    const { heap, counted } = await bytesOfNamespace(directory, { namespaces, chunks })
    // What the objects of a namespace take, and up to half of the vectors again, for more of them.
    const most = 11_000 + 1.6 * chunks * VECTOR_BYTES
    assert.ok(heap > chunks * VECTOR_BYTES && heap < most, `${heap} bytes, at most ${most} expected`)
    assert.ok(counted > chunks * VECTOR_BYTES && counted < most, `${counted} bytes are counted`)
  })
