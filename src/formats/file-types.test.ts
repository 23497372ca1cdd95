import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { complaintOf, readSamples, recordedOutputs } from '../../test/support/reader-samples.ts'
import { FILE_TYPES } from '../contract/file-parser.ts'
import { ANY_ENDINGS, FILE_TYPE_FACTS, fileFingerprint, TYPE_OF_ENDING } from './file-types.ts'

test('FILE_TYPE_FACTS has a new revision if a reader gives other output for the samples [upsert:files:reader-revision]', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-samples-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const recorded = recordedOutputs()
  const now = await readSamples(folder)
  assert.deepEqual(Object.keys(recorded).sort(), [...FILE_TYPES].sort(), 'run npm run reader-outputs')
  for (const type of FILE_TYPES)
    assert.equal(complaintOf(type, recorded[type], now[type]), undefined, `see ${type}`)
})

test('complaintOf() asks for a new revision if the output changed, for a recording if samples did', () => {
  const before = { revision: 1, samples: { a: '1', b: '2' } }
  assert.equal(complaintOf('csv', before, before), undefined)
  assert.match(
    complaintOf('csv', before, { revision: 1, samples: { a: '1', b: '3' } })!,
    /other output .* for b: .* raise the revision of csv/,
  )
  for (const now of [
    { revision: 2, samples: { a: '1', b: '3' } },
    { revision: 1, samples: { a: '1' } },
    { revision: 1, samples: { a: '1', b: '2', c: '3' } },
  ])
    assert.match(complaintOf('csv', before, now)!, /not recorded/)
  assert.match(complaintOf('csv', undefined, before)!, /not recorded/)
})

test('fileFingerprint() differs by bytes, by type and by the revision of the reader', () => {
  assert.equal(fileFingerprint('csv', 'abc'), `csv ${FILE_TYPE_FACTS.csv.revision} abc`)
  assert.equal(fileFingerprint(undefined, 'abc'), 'abc')
})

test('TYPE_OF_ENDING has each ending once, in lower case', () => {
  const endings = FILE_TYPES.flatMap((type) => [
    ...FILE_TYPE_FACTS[type].endings,
    ...(FILE_TYPE_FACTS[type].alsoRead ?? []),
  ])
  assert.equal(new Set(endings).size, endings.length)
  assert.equal(TYPE_OF_ENDING.size, endings.length)
  for (const ending of endings) assert.match(ending, /^[a-z0-9]+$/)
})

test('ANY_ENDINGS names an ending of each type', () => {
  for (const type of FILE_TYPES) assert.ok(ANY_ENDINGS.includes(`.${FILE_TYPE_FACTS[type].endings[0]}`))
})

test('FILE_TYPE_FACTS gives a media type by which a mail names a file to one type only', () => {
  // Answers with these files have the type of text.
  const named = FILE_TYPES.flatMap((type) => {
    const { mediaType, alsoNamed = [] } = FILE_TYPE_FACTS[type]
    return [mediaType, ...alsoNamed]
      .filter((name) => name !== 'text/plain')
      .map((name) => [name, type] as const)
  })
  for (const [name, types] of Map.groupBy(named, ([name]) => name))
    assert.equal(
      types.length,
      1,
      `${name} is the media type of ${types.map(([, type]) => type).join(' and ')}`,
    )
})

test('FILE_TYPES has a test beside the reader of each type', () => {
  const tests = readdirSync(import.meta.dirname, { recursive: true })
    .map((name) => path.basename(String(name)))
    .filter((name) => name.endsWith('.test.ts'))
  for (const type of FILE_TYPES)
    assert.ok(
      tests.some((name) => name === `${type}.test.ts` || name.startsWith(`${type}-`)),
      `add ${type}.test.ts below src/formats`,
    )
})

test('docs/guide.md names an ending of each file type', () => {
  const guide = readFileSync(path.join(import.meta.dirname, '../../docs/guide.md'), 'utf8')
  for (const type of FILE_TYPES) {
    const [ending = ''] = FILE_TYPE_FACTS[type].endings
    assert.ok(guide.includes(`\`.${ending}\``), `name .${ending} where docs/guide.md says what is read`)
  }
})
