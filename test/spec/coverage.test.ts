import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { citationsOf, coverage, familiesOf } from './coverage.ts'
import { PENDING } from './pending.ts'
import { REQUIREMENTS } from './requirements.ts'

const root = path.join(import.meta.dirname, '../..')

test('every requirement is cited by a test or waits for named work', (t) => {
  const families = familiesOf(REQUIREMENTS)
  // The tests in this folder are about citing and hold citations that mean nothing. The suites of contracts have test files that run them.
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'test/contract/*.ts'], {
    cwd: root,
  }).filter((file) => !file.startsWith(path.join('test', 'spec')))
  assert.ok(files.length > 0, 'no test files found')
  const citations = files.flatMap((file) =>
    citationsOf(file, readFileSync(path.join(root, file), 'utf8'), families),
  )
  const { problems, uncited } = coverage(REQUIREMENTS, PENDING, citations)
  for (const [by, rows] of uncited) {
    t.diagnostic(`without a test, waiting for ${by}:`)
    for (const { id, sentence } of rows) t.diagnostic(`  ${id}: ${sentence}`)
  }
  assert.deepEqual(problems, [])
})

const rows = [
  { id: 'a:one', sentence: 'one' },
  { id: 'a:two', sentence: 'two' },
]
const cite = (...ids: string[]) => ids.map((id) => ({ id, file: 'x.test.ts', line: 7 }))

test('coverage() has nothing to say where every row is cited or pending', () => {
  const { problems, uncited } = coverage(rows, [{ by: 'later', ids: ['a:two'] }], cite('a:one'))
  assert.deepEqual(problems, [])
  assert.deepEqual([...uncited], [['later', [rows[1]]]])
})

for (const [what, result, problem] of [
  ['an uncited row', coverage(rows, [], cite('a:one')), 'a:two has no test: two'],
  [
    'a citation of an unknown row',
    coverage(rows, [], cite('a:one', 'a:two', 'a:three')),
    'x.test.ts:7 cites a:three, which is no requirement',
  ],
  [
    'a pending row that has a test',
    coverage(rows, [{ by: 'later', ids: ['a:two'] }], cite('a:one', 'a:two')),
    'a:two has a test: take it off the pending list',
  ],
  [
    'a pending row that is none',
    coverage(rows, [{ by: 'later', ids: ['a:no'] }], cite('a:one', 'a:two')),
    'a:no is pending and is no requirement',
  ],
  [
    'a row that stands twice',
    coverage([...rows, rows[0]!], [], cite('a:one', 'a:two')),
    'a:one stands twice in the requirements',
  ],
  [
    'a row that is pending twice',
    coverage(
      rows,
      [
        { by: 'soon', ids: ['a:two'] },
        { by: 'later', ids: ['a:two'] },
      ],
      cite('a:one'),
    ),
    'a:two stands twice on the pending list',
  ],
] as const)
  test(`coverage() names ${what}`, () => {
    assert.deepEqual(result.problems, [problem])
  })

test('citationsOf() reads one or several ids from a bracket, with their place', () => {
  const source = "test('x [a:one]', f)\ntest('y [a:one:deep, a:two] z', f)\ntest(`[a:one a:two]`, f)"
  assert.deepEqual(
    citationsOf('x.test.ts', source, new Set(['a'])).map(({ id, line }) => `${line} ${id}`),
    ['1 a:one', '2 a:one:deep', '2 a:two', '3 a:one', '3 a:two'],
  )
})

test('citationsOf() passes over comments, types, addresses and other families', () => {
  const source = "// [a:one]\n * [a:one]\nlet x: [a: string, b: number]\n'http://[::1]:80' + '[b:one]' + x[a]"
  assert.deepEqual(citationsOf('x.test.ts', source, new Set(['a'])), [])
})
