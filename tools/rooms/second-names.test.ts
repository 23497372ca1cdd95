import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { HOUSE_WORDS, type HouseWord } from './house-words.ts'
import { namesIn, secondNames, wordsOf } from './second-names.ts'

const WORDS: readonly HouseWord[] = [
  {
    word: 'lease',
    meaning: 'A right.',
    second: /(^|-)turns?(-|$)/,
    within: ['src/jobs/', 'test/'],
    but: /^turn-lost$/,
  },
  { word: 'sweep', meaning: 'Work behind.', second: /^tidy/ },
]

function checkout(t: TestContext, files: Record<string, string>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'sluice-words-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), source)
  }
  return root
}

test('wordsOf() parts names of all kinds the same way', () => {
  for (const name of ['NodeTurn', 'nodeTurn', 'NODE_TURN', 'node-turn', 'node_turn'])
    assert.equal(wordsOf(name), 'node-turn')
  assert.equal(wordsOf('HTTPServer2'), 'http-server2')
})

test('namesIn() gives the names of code, and none of comments, texts, imports and what others have', () => {
  const source = [
    '// a turn',
    "import { createTurns, type Turn } from './turns.ts'",
    `const turn = \`turns \${place}\``,
    'row.turns = "turn"',
  ].join('\n')
  const names = namesIn(source).map(({ name, line }) => `${name} ${line}`)
  assert.deepEqual(names, ['const 3', 'turn 3', 'place 3', 'row 4'])
})

test('secondNames() names file, line, name and the right word, once a name and file', (t) => {
  const root = checkout(t, {
    'src/jobs/node-turns.ts':
      'const a = 1\nexport const takeTurn = (turn: number) => turn\nconst { turn } = a\n',
    'src/jobs/fine.test.ts': "const text = 'turn'\nconst turnLost = returned\n",
    'src/chat/turn.ts': 'export type Turn = 1\n',
    'bench/one.ts': 'const tidyUp = 1\n',
  })
  assert.deepEqual(secondNames(root, WORDS), [
    'bench/one.ts:1: tidyUp is a second name for what is called "sweep" here (docs/architecture.md, "Words")',
    'src/jobs/node-turns.ts:1: node-turns is a second name for what is called "lease" here (docs/architecture.md, "Words")',
    'src/jobs/node-turns.ts:2: takeTurn is a second name for what is called "lease" here (docs/architecture.md, "Words")',
    'src/jobs/node-turns.ts:2: turn is a second name for what is called "lease" here (docs/architecture.md, "Words")',
  ])
})

test('the words of the house stand in docs/architecture.md, each with its sentence and in this order', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
  const [, words = ''] = page.split('\n## Words\n')
  const rows = words.split('\n## ')[0]!.matchAll(/^\| (\S+) \| (.+) \|$/gm)
  assert.deepEqual(
    [...rows]
      .map(([, word, meaning]) => ({ word, meaning }))
      .filter(({ word }) => word !== 'word' && word !== '---'),
    HOUSE_WORDS.map(({ word, meaning }) => ({ word, meaning })),
  )
})
