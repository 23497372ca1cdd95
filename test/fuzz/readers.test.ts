import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { FILE_TYPES } from '../../src/contract/file-parser.ts'
import { FILE_LIMITS } from '../../src/formats/limits.ts'
import { readFileParts } from '../../src/formats/read-file.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { randomBelow } from '../support/random.ts'
import { SAMPLES } from '../support/reader-samples.ts'

/** How often each sample is damaged; `FUZZ_TRIES` for longer runs. */
const TRIES = Number(process.env.FUZZ_TRIES ?? 25)

/** So small that a damaged file which grows without end is refused soon. */
const LIMITS = { ...FILE_LIMITS, textLength: 2_000_000, cells: 100_000, zipBytes: 20 * 2 ** 20 }

const REFUSALS = ['file_unreadable', 'file_encrypted', 'file_over_limit']

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-fuzz-readers-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** Changes, removes, repeats or inserts some bytes. */
function damage(bytes: Uint8Array, below: (bound: number) => number): Buffer {
  let damaged = Buffer.from(bytes)
  for (let count = 1 + below(6); count > 0; count--) {
    const at = below(damaged.length + 1)
    const length = below(below(2) === 0 ? 5 : 600)
    const [before, piece, after] = [
      damaged.subarray(0, at),
      damaged.subarray(at, at + length),
      damaged.subarray(at),
    ]
    const choice = below(5)
    if (choice === 0 && at < damaged.length) damaged[at] = below(256)
    else if (choice === 1) damaged = Buffer.concat([before, damaged.subarray(at + length)])
    else if (choice === 2) damaged = Buffer.concat([before, piece, after])
    else if (choice === 3) damaged.fill(below(2) === 0 ? 0xff : 0, at, Math.min(damaged.length, at + 4))
    else if (at + 4 <= damaged.length) damaged.writeUInt32LE(below(5000), at)
  }
  return damaged
}

for (const type of FILE_TYPES)
  test(`a damaged file of the type ${type} gives text or a refusal [formats:old-office, formats:open-document, formats:rtf]`, async () => {
    const outcomes = { text: 0, refused: 0 }
    for (const [index, { name, bytes, options = {} }] of SAMPLES[type].entries())
      for (let seed = 0; seed < TRIES; seed++) {
        const file = path.join(folder, `damaged-${type}`)
        writeFileSync(file, damage(bytes, randomBelow(1 + seed * 31 + index)))
        try {
          for await (const _ of readFileParts({ path: file, name, type, options }, LIMITS)) outcomes.text++
        } catch (error) {
          assert.ok(
            error instanceof SluiceError && REFUSALS.includes(error.code),
            `${name}, seed ${seed}: ${error}`,
          )
          outcomes.refused++
        }
      }
    assert.ok(outcomes.text > 0, 'no damaged file was read')
  })
