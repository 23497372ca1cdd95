import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readVariant } from './read-variant.ts'

test('readVariant() reads a name, inputs, a revision and a drawing', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-variant-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(path.join(directory, 'flow.json'), '{"flowData":"{\\"nodes\\":[]}"}')
  writeFileSync(path.join(directory, 'drawing.json'), '{"nodes":[],"edges":[]}')
  const read = (typed: string) => readVariant(typed, directory)
  assert.deepEqual(await read('live'), { name: 'live' })
  assert.deepEqual(await read('small: chunkSize=600, store_0.weight=0.3,mode=keyword'), {
    name: 'small',
    inputs: { chunkSize: 600, 'store_0.weight': 0.3, mode: 'keyword' },
  })
  assert.deepEqual(await read('old:revision=7'), { name: 'old', revision: 7 })
  assert.deepEqual(await read('separators:separators=["a","b"]'), {
    name: 'separators',
    inputs: { separators: ['a', 'b'] },
  })
  assert.deepEqual(await read('new:file=flow.json'), { name: 'new', flowData: '{"nodes":[]}' })
  assert.deepEqual(await read('new:file=drawing.json'), { name: 'new', flowData: '{"nodes":[],"edges":[]}' })
})

test('readVariant() names what is wrong', async () => {
  await assert.rejects(
    readVariant('small:chunkSize', '.'),
    /variant small has chunkSize instead of INPUT=VALUE/,
  )
  await assert.rejects(readVariant('old:revision=x', '.'), /revision x, which is no whole number/)
  await assert.rejects(readVariant('new:file=nowhere.json', '.'), /drawing nowhere\.json cannot be read/)
})
