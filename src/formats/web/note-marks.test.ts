import assert from 'node:assert/strict'
import { test } from 'node:test'
import { epub } from '../../../test/support/epub-files.ts'
import { onlyText } from '../../../test/support/office-files.ts'
import { readEpub } from './epub.ts'
import { readHtml } from './html.ts'

/** What is shown of a sentence, as a page and as a chapter. */
async function shown(html: string): Promise<string> {
  const text = await onlyText(readHtml, Buffer.from(`<p>${html}</p>`))
  const chapter = await onlyText(readEpub, epub([{ file: 'one.xhtml', body: `<p>${html}</p>` }]))
  assert.equal(chapter, text, html)
  return text
}

test('a raised mark that links to a note is in brackets, so that no word ends with it [formats:epub]', async () => {
  for (const [html, text] of [
    ['The word<a epub:type="noteref" href="#n1">1</a> stands.', 'The word[1] stands.'],
    ['The word<a href="notes.xhtml#n1" role="doc-noteref">12</a> stands.', 'The word[12] stands.'],
    ['The word<sup><a href="#n1">1</a></sup> stands.', 'The word[1] stands.'],
    ['The word<a href="#n1"><sup>*</sup></a> stands.', 'The word[*] stands.'],
    ['The word<sup class="reference"><a href="#c"><span>[</span>3<span>]</span></a></sup>.', 'The word[3].'],
    ['The word<sup><a href="#a">1</a>, <a href="#b">2</a></sup> stands.', 'The word[1, 2] stands.'],
    ['A <b>bold<a href="#n"><sup>iv</sup></a></b> word.', 'A bold[iv] word.'],
  ] as const)
    assert.equal(await shown(html), text, html)
})

test('raised text and links that are no marks of notes stay as they are', async () => {
  for (const [html, text] of [
    ['10 m<sup>2</sup> and 5<sup>th</sup>', '10 m2 and 5th'],
    ['See <a href="#two">2</a> below.', 'See 2 below.'],
    ['Press<sup><a href="https://example.com/">1</a></sup>', 'Press1'],
    ['A<sup>long <a href="#n">story</a></sup>.', 'Along story.'],
    ['A<sup><img alt="star"/><a href="#n">1</a></sup>', 'Astar1'],
    [`A<sup>${'<b>'.repeat(80)}x`, 'Ax'],
    [`A<a href="#n">${'many words '.repeat(20)}</a>!`, `A${'many words '.repeat(20)}!`],
  ] as const)
    assert.equal(await onlyText(readHtml, Buffer.from(`<p>${html}</p>`)), text, html)
  const heading = '<h2>Otters<a class="headerlink" href="#otters">¶</a></h2>'
  assert.equal(await onlyText(readHtml, Buffer.from(heading)), '## Otters')
})
