import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentFacts, Piece } from '../../contract/splitter.ts'
import { sluiceSplitter } from './sluice.ts'

const SIZES = { chunkSize: 120, chunkOverlap: 0 }

function cut(text: string, document: Partial<DocumentFacts> = {}, sizes = SIZES): Piece[] {
  const cutter = sluiceSplitter(sizes).open({ name: 'file', metadata: {}, ...document })
  return [...cutter.push(text), ...cutter.end()]
}

const textsOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text)
const headsOf = (pieces: readonly Piece[]) => pieces.map(({ head }) => head)

/** Sentences of about 30 units. */
const prose = (count: number, word = 'heron') =>
  Array.from({ length: count }, (_, n) => `The ${word} number ${n} stands there.`).join(' ')

test('sluiceSplitter() cuts between sentences [splitter:sluice:sentences]', () => {
  for (const [text, size] of [
    [prose(40), 120],
    ['鷺が立っている。川獺が泳いでいる。「終わりだ。」と言った。'.repeat(20), 60],
    ['बगुला खड़ा है। ऊदबिलाव तैरता है। '.repeat(20), 60],
    ['هل يقف مالك الحزين؟ نعم إنه يقف هنا. '.repeat(20), 80],
    ['He paid 2.50 for it, e.g. in St. Ives, on p. 5 of Nr. 7 there. '.repeat(20), 100],
  ] as const) {
    const texts = textsOf(cut(text, {}, { chunkSize: size, chunkOverlap: 0 }))
    assert.ok(texts.length > 3)
    for (const piece of texts) assert.match(piece, /(?:[.。।]|。」と言った。)$/u)
    for (const piece of texts) assert.doesNotMatch(piece, /(?:e\.g|St|p|Nr)\.$/u)
  }
})

test('sluiceSplitter() repeats whole sentences [splitter:sluice:overlap]', () => {
  const texts = textsOf(cut(prose(30), {}, { chunkSize: 200, chunkOverlap: 70 }))
  for (const [at, text] of texts.slice(1).entries()) {
    assert.match(text, /^The heron/)
    const first = text.slice(0, text.indexOf('.') + 1)
    assert.ok(texts[at]!.endsWith(first) || texts[at]!.includes(`${first} `), first)
  }
})

test('sluiceSplitter() never leaves a heading at the end of a chunk [splitter:sluice:headings]', () => {
  for (let filler = 1; filler < 130; filler++) {
    const text = `${'x'.repeat(filler)}.\n\n# One\n\n## Two\n\n${prose(9)}\n\nThree\n=====\n\n${prose(3)}`
    for (const piece of textsOf(cut(text)))
      assert.doesNotMatch(piece, /(?:^|\n)(?:#+ \w+|={3,}|Three)$/, `${filler}: ${piece}`)
  }
})

test('sluiceSplitter() cuts nowhere in a heading, and takes a long line with # for a paragraph [splitter:sluice:headings]', () => {
  const heading = '# Where herons stand. When they stand there. How they do it.'
  for (let filler = 1; filler < 110; filler++) {
    const pieces = cut(`${'x'.repeat(filler)}\n${heading}\n${'y'.repeat(115)}\n`)
    for (const piece of textsOf(pieces))
      assert.ok(piece.includes(heading) || !piece.includes('#'), `${filler}: ${piece}`)
  }
  const long = cut(`### ${prose(20)}`)
  assert.ok(long.length > 3)
  assert.ok(long.every(({ headings, head }) => headings === undefined && head === undefined))
})

test('sluiceSplitter() leaves no end of a fence and no comment alone [splitter:sluice:headings]', () => {
  for (let filler = 1; filler < 110; filler++) {
    const lines = `${'x'.repeat(filler)}()\n${'call(1)\n# What is next\nsecond(1)\n'.repeat(6)}`
    for (const piece of textsOf(cut(`Text.\n\n\`\`\`\n${lines}\`\`\`\n\n${prose(4)}`))) {
      assert.doesNotMatch(piece, /# What is next$/, `${filler}: ${piece}`)
      assert.doesNotMatch(piece, /^```\n\n/, `${filler}: ${piece}`)
    }
  }
})

test('sluiceSplitter() takes a page with examples for text, not for code [splitter:sluice:sentences]', () => {
  const example = 'import birds\n\nheron = birds.find("heron")\notter = birds.other()\n'
  const page = `Herons\n======\n\n${prose(12)}\n\n${example}\n${prose(12)}\n\nOtters\n======\n\n${prose(3)}`
  const pieces = cut(page)
  for (const text of textsOf(pieces)) assert.match(text, /[.)]$/)
  assert.deepEqual(pieces.at(-1)!.headings, ['Otters'])
  // The texts inside of code are no reason to take it for a page.
  const documented = `def find_heron():\n    """\n    ${prose(1)}\n    """\n${'    heron = birds.find(1)\n'.repeat(4)}`
  const code = cut(documented)
  assert.equal(code.at(-1)!.head, 'find_heron')
})

test('sluiceSplitter() gives each chunk its headings, and as head those that are not in its text [splitter:sluice:headings]', () => {
  const pieces = cut(`# Guide\n\n${prose(2)}\n\n## Install\n\n${prose(6)}\n\n## Use\n\n${prose(2)}`)
  assert.deepEqual(
    pieces.map(({ headings, head }) => [headings, head]),
    [
      [['Guide'], undefined],
      [['Guide', 'Install'], 'Guide'],
      [['Guide', 'Install'], 'Guide › Install'],
      [['Guide', 'Use'], 'Guide'],
    ],
  )
})

test('sluiceSplitter() takes no comment and no fenced line for a heading', () => {
  const fenced = cut(`# Guide\n\n${prose(2)}\n\n\`\`\`\n# no heading\n${'run\n'.repeat(60)}\`\`\`\n`)
  assert.deepEqual(new Set(fenced.flatMap(({ headings }) => headings!)), new Set(['Guide']))
  assert.deepEqual(headsOf(cut('# comment\nport: 1\n'.repeat(20), { name: 'a.yaml' }))[0], 'a.yaml')
})

test('sluiceSplitter() names the columns of a table above its later rows [splitter:sluice:tables]', () => {
  const rows = Array.from({ length: 12 }, (_, n) => `| item ${n} | ${n} pieces |`).join('\n')
  const pieces = cut(`# Stock\n\n| Item | Count |\n|---|---|\n${rows}\n\n${prose(4)}`)
  assert.equal(pieces[0]!.head, undefined)
  assert.equal(pieces[1]!.head, 'Stock › Item | Count')
  for (const { text } of pieces) if (text.startsWith('|')) assert.match(text, /\|$/)
  assert.deepEqual(pieces.at(-1)!.headings, ['Stock'])
})

test('sluiceSplitter() names the column that a cut cell of a row belongs to [splitter:sluice:tables]', () => {
  const metadata = { rowNum: 4, worksheet: 'Costs', tableTitle: 'Annual report' }
  const pieces = cut(`Name: Pump\nNote: ${prose(9)}\nPrice: 5`, { metadata })
  assert.equal(pieces[0]!.head, 'Costs › Annual report')
  assert.equal(pieces[2]!.head, 'Costs › Annual report › Note')
  assert.deepEqual(pieces[2]!.headings, ['Note'])
  assert.match(pieces.at(-1)!.text, /Price: 5$/)
  assert.equal(cut('Name: Pump', { metadata: { rowNum: 4, worksheet: 'Sheet1' } })[0]!.head, undefined)
})

const PYTHON = `import os


class Heron(Bird):
    """A bird."""

    def stand(self):
        ${'self.legs.lift(1)\n        '.repeat(3)}return self

    @cached
    async def swim(self, far):
        ${'self.legs.lift(2)\n        '.repeat(8)}return far


LIMIT = ${'1 + \\\n    '.repeat(12)}1
`

test('sluiceSplitter() cuts code before definitions and names what a chunk is in [splitter:sluice:code]', () => {
  const pieces = cut(PYTHON, { name: 'src/birds/heron.py' }, { chunkSize: 150, chunkOverlap: 0 })
  assert.deepEqual(headsOf(pieces), [
    'src/birds/heron.py',
    'src/birds/heron.py › Heron',
    'src/birds/heron.py › Heron',
    'src/birds/heron.py › Heron › swim',
    'src/birds/heron.py',
  ])
  assert.match(pieces[0]!.text, /^import os\n\n\nclass Heron/)
  assert.match(pieces[1]!.text, /^ {4}def stand/)
  assert.match(pieces[2]!.text, /^ {4}@cached\n/)
  assert.deepEqual(pieces[3]!.headings, ['Heron', 'swim'])
  assert.equal(pieces[4]!.headings, undefined)
})

test('sluiceSplitter() reads the names of other languages', () => {
  const line = '        call(one, two);\n'
  for (const [name, text, head] of [
    [
      'a.ts',
      `export class Heron {\n  async stand(far: number): Promise<void> {\n${line.repeat(9)}  }\n}\n`,
      'Heron › stand',
    ],
    ['a.js', `const stand = async (far) => {\n${line.repeat(9)}}\n`, 'stand'],
    [
      'a.java',
      `public class Heron {\n  public void stand(int far) {\n${line.repeat(9)}  }\n}\n`,
      'Heron › stand',
    ],
    ['a.c', `static int stand(int far)\n{\n${line.repeat(9)}}\n`, 'stand'],
    ['a.go', `func (h *Heron) Stand(far int) {\n${line.repeat(9)}}\n`, 'Stand'],
    ['a.rs', `pub fn stand(far: u8) -> u8 {\n${line.repeat(9)}}\n`, 'stand'],
    ['a.rb', `module Birds\n  def stand(far)\n${line.repeat(9)}  end\nend\n`, 'Birds › stand'],
    ['a.toml', `[server.http]\n${'port = 1\n'.repeat(30)}`, 'server.http'],
  ] as const)
    assert.equal(cut(text, { name })[1]!.head, `${name} › ${head}`)
})

test('sluiceSplitter() tells code by its text where the name does not', () => {
  const pieces = cut(PYTHON, { name: 'c0' }, { chunkSize: 150, chunkOverlap: 0 })
  assert.deepEqual(headsOf(pieces), [undefined, 'Heron', 'Heron', 'Heron › swim', undefined])
  assert.deepEqual(
    cut(`import of pumps\n\n${prose(9)}`).flatMap(({ head }) => head ?? []),
    [],
  )
})

test('sluiceSplitter() goes on with the headings of the page before', () => {
  const splitter = sluiceSplitter(SIZES)
  const page = (pageNumber: number) => ({ name: 'a.pdf', metadata: { loc: { pageNumber } } })
  const first = splitter.open(page(1))
  first.push(`# Guide\n\n## Install\n\n${prose(1)}`)
  first.end()
  const second = splitter.open({ ...page(2), before: first.headings!() })
  const pieces = [...second.push(`${prose(2)}\n\n## Use\n\n${prose(2)}`), ...second.end()]
  assert.deepEqual(headsOf(pieces), ['Guide › Install', 'Guide'])
  const slide = splitter.open({ name: 'a', metadata: { slideNumber: 2 }, before: first.headings!() })
  assert.equal([...slide.push(prose(2)), ...slide.end()][0]!.head, undefined)
})

test('sluiceSplitter() keeps heads short', () => {
  const title = 'Very long headings are cut at a word '.repeat(9)
  const heads = headsOf(cut(`# ${title}\n\n## ${title}\n\n### ${title}\n\n#### ${title}\n\n${prose(40)}`))
  assert.ok(heads.length > 3)
  for (const head of heads) {
    assert.ok((head ?? '').length <= 240, head)
    assert.match(head ?? '…', /…$/)
  }
})

test('sluiceSplitter() refuses sizes that make no sense', () => {
  assert.throws(() => sluiceSplitter({ chunkSize: 10, chunkOverlap: 10 }), RangeError)
})
