import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlToMarkdownSplitter } from './html-to-markdown.ts'
import { markdownSplitter } from './markdown.ts'

const PAGE = `<!DOCTYPE html><html><head><title>T</title><script>var x = '</p>'</script></head><body>
<h1>One</h1><p>first   <b>bold</b></p>
<h2>Two</h2><ul><li>a<li>b</ul></body></html>`

test('htmlToMarkdownSplitter() cuts the markdown of a page, with the lines of the markdown', () => {
  assert.deepEqual(htmlToMarkdownSplitter({ chunkSize: 20, chunkOverlap: 0 }).split(PAGE), [
    { text: '# One\n\nfirst bold', lines: { from: 1, to: 3 } },
    { text: '## Two\n\n- a\n- b', lines: { from: 5, to: 8 } },
  ])
})

test('htmlToMarkdownSplitter().open() gives the same pieces for parts', () => {
  const splitter = htmlToMarkdownSplitter({ chunkSize: 20, chunkOverlap: 5 })
  const cutter = splitter.open()
  const pieces = [...cutter.push(PAGE.slice(0, 77)), ...cutter.push(PAGE.slice(77)), ...cutter.end()]
  assert.deepEqual(pieces, splitter.split(PAGE))
})

test('htmlToMarkdownSplitter() leaves markdown as it is, also markdown about HTML', () => {
  const sizes = { chunkSize: 30, chunkOverlap: 0 }
  for (const text of [
    '# One\n\ntext\nand more text, a < b > c\n\n- a\n- b',
    '# On `</p>`\n\n```html\n<p>\n  text\n</p>\n```\n\nmore',
  ])
    assert.deepEqual(htmlToMarkdownSplitter(sizes).split(text), markdownSplitter(sizes).split(text))
})

test('htmlToMarkdownSplitter() takes a fragment with tags for HTML wherever they stand', () => {
  const pieces = htmlToMarkdownSplitter({ chunkSize: 100, chunkOverlap: 0 }).split('Intro <p>one\ntwo</p>')
  assert.deepEqual(
    pieces.map((piece) => piece.text),
    ['Intro\n\none two'],
  )
})

test('htmlToMarkdownSplitter() refuses sizes that make no sense', () => {
  assert.throws(() => htmlToMarkdownSplitter({ chunkSize: 10, chunkOverlap: 10 }), RangeError)
})
