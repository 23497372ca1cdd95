import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutantsOf, mutated } from './mutants.ts'

const changed = (source: string) => mutantsOf(source).map((mutant) => mutated(source, mutant))

for (const [name, source, results] of [
  ['a boundary', 'const a = b >= c', ['const a = b > c']],
  ['an equality', 'const a = b === c', ['const a = b !== c']],
  ['a combination', 'const a = b && c', ['const a = b || c']],
  ['arithmetic', 'const a = b - c', ['const a = b + c']],
  ['a number', 'const a = f(10)', ['const a = f((10 + 1))']],
  ['a condition', 'if (a) b()', ['if (false) b()', 'if (true) b()']],
  [
    'a statement of its own line',
    'f = () => {\n  g(1_0)\n}\n',
    ['f = () => {\n  g((1_0 + 1))\n}\n', 'f = () => {\n  ;\n}\n'],
  ],
  [
    'SQL',
    "run('DELETE FROM t WHERE a = ? AND b IS NULL')",
    [
      "run('DELETE FROM t WHERE TRUE AND b IS NULL')",
      "run('DELETE FROM t WHERE a = ?')",
      "run('DELETE FROM t WHERE a = ? AND b IS NOT NULL')",
    ],
  ],
] as [string, string, string[]][])
  test(`mutantsOf() changes ${name}`, () => {
    assert.deepEqual(changed(source).sort(), results.sort())
  })

test('mutantsOf() leaves types, comments, texts and imports alone', () => {
  const source = "import a from 'a-b'\ntype B = C<1> // 2 - 1\nconst d: E<3> = 'x - y'\n"
  assert.deepEqual(changed(source), [])
})
