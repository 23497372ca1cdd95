import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlToMarkdownSplitter } from './html-to-markdown.ts'
import { markdownSplitter } from './markdown.ts'

const PAGE = `<!DOCTYPE html><html><head><title>T</title><script>var x = '</p>'</script></head><body>
<h1>One</h1><p>first   <b>bold</b></p>
<h2>Two</h2><ul><li>a<li>b</ul></body></html>`

test('htmlToMarkdownSplitter() cuts the markdown of a page, with the lines of the markdown', () => {
  assert.deepEqual(htmlToMarkdownSplitter({ chunkSize: 20, chunkOverlap: 0 }).split(PAGE), [
    { text: '# One\n\nfirst bold', lines: { from: 1, to: 3 }, range: { start: 0, end: 17 } },
    { text: '## Two\n\n- a\n- b', lines: { from: 5, to: 8 }, range: { start: 19, end: 34 } },
  ])
})

test('htmlToMarkdownSplitter().open() cuts the result of convert(), in this thread or another one', async () => {
  const splitter = htmlToMarkdownSplitter({ chunkSize: 20, chunkOverlap: 5 })
  for (const text of [PAGE, `${PAGE}${'<p>more of it</p>'.repeat(2000)}`]) {
    const converted = await splitter.convert!(text)
    const cutter = splitter.open()
    const pieces = [
      ...cutter.push(converted.slice(0, 17)),
      ...cutter.push(converted.slice(17)),
      ...cutter.end(),
    ]
    assert.deepEqual(pieces, splitter.split(text))
  }
})

test('htmlToMarkdownSplitter().convert() lets the event loop run while a long text is converted', async () => {
  const { convert } = htmlToMarkdownSplitter({ chunkSize: 20, chunkOverlap: 0 })
  let turns = 0
  let isConverting = true
  const count = () => {
    turns++
    if (isConverting) setImmediate(count)
  }
  setImmediate(count)
  await convert!('<p>a <b>b</b></p>'.repeat(60_000))
  isConverting = false
  assert.ok(turns > 3, `${turns} turns`)
})

test('htmlToMarkdownSplitter().convert() ends the work on a text when its job is cancelled, and continues with the next', async () => {
  const { convert } = htmlToMarkdownSplitter({ chunkSize: 20, chunkOverlap: 0 })
  const long = '<p>a <b>b</b></p>'.repeat(60_000)
  const cancelled = new AbortController()
  const first = convert!(long, cancelled.signal)
  const second = convert!(`<p>second</p>${' '.repeat(20_000)}`)
  cancelled.abort(new Error('cancelled'))
  await assert.rejects(first, /cancelled/)
  assert.equal(await second, 'second')
})

test('htmlToMarkdownSplitter() leaves markdown as it is, also markdown about HTML', () => {
  const sizes = { chunkSize: 30, chunkOverlap: 0 }
  for (const text of [
    '# One\n\ntext\nand more text, a < b > c\n\n- a\n- b',
    '# On `</p>`\n\n```html\n<p>\n  text\n</p>\n```\n\nmore',
  ])
    assert.deepEqual(htmlToMarkdownSplitter(sizes).split(text), markdownSplitter(sizes).split(text))
})

test('htmlToMarkdownSplitter() recognises a fragment with tags as HTML, wherever they are', () => {
  const pieces = htmlToMarkdownSplitter({ chunkSize: 100, chunkOverlap: 0 }).split('Intro <p>one\ntwo</p>')
  assert.deepEqual(
    pieces.map((piece) => piece.text),
    ['Intro\n\none two'],
  )
})

test('htmlToMarkdownSplitter() refuses invalid sizes', () => {
  assert.throws(() => htmlToMarkdownSplitter({ chunkSize: 10, chunkOverlap: 10 }), RangeError)
})
