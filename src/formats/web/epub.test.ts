import assert from 'node:assert/strict'
import { test } from 'node:test'
import { epub } from '../../../test/support/epub-files.ts'
import { readAll } from '../../../test/support/office-files.ts'
import { writeZip } from '../../../test/support/zip-writer.ts'
import { readEpub } from './epub.ts'

const chapters = [
  { file: 'one.xhtml', body: '<h1>Otters</h1><p>They <b>swim</b>.</p>', title: 'On otters' },
  { file: 'blank.xhtml', body: '<img src="cover.png"/>' },
  {
    file: 'text/two%20b.xhtml',
    body: '<ul><li>dive</li></ul><table><tr><th>a</th></tr></table>',
    title: 'Diving',
  },
]

test('readEpub gives a document per chapter, with its title of the table of contents [formats:epub]', async () => {
  const metadata =
    '<d:title>Zoo</d:title><d:title>Subtitle</d:title><d:creator>Ada</d:creator><d:creator>Bob</d:creator><d:language>en</d:language><d:date>2024</d:date>'
  const book = { title: 'Zoo', author: 'Ada, Bob', language: 'en', published: '2024' }
  for (const isVersion3 of [true, false]) {
    const { parts } = await readAll(readEpub, epub(chapters, { metadata, isVersion3 }))
    assert.deepEqual(parts, [
      {
        pageContent: '# Otters\n\nThey swim.',
        metadata: { ...book, chapter: 'On otters', chapterNumber: 1 },
        last: true,
      },
      {
        pageContent: '- dive\n\na',
        metadata: { ...book, chapter: 'Diving', chapterNumber: 3 },
        last: true,
      },
    ])
  }
})

test('readEpub counts pictures, and names chapters that are missing or damaged [formats:epub]', async () => {
  const items =
    '<item id="p" href="p.png" media-type="image/png"/><item id="q" href="q.svg" media-type="image/svg+xml"/>'
  const bytes = epub(chapters, { items, parts: { 'OEBPS/one.xhtml': '' } })
  const gone = bytes.toString('latin1').replaceAll('OEBPS/blank.xhtml', 'OEBPS/other.xhtml')
  const { parts, notes, dropped } = await readAll(readEpub, Buffer.from(gone, 'latin1'))
  assert.deepEqual(
    parts.map(({ metadata }) => metadata.chapterNumber),
    [3],
  )
  assert.deepEqual(notes, ['chapter 2 is missing in the book'])
  assert.deepEqual(dropped, [{ kind: 'picture', count: 2 }])
})

test('readEpub refuses protected books; obfuscated fonts are no protection [formats:epub]', async () => {
  const encryption = (method: string) => ({
    'META-INF/encryption.xml': `<encryption xmlns:e="e"><e:EncryptedData><e:EncryptionMethod Algorithm="${method}"/>
      <e:KeyInfo/><e:CipherData><e:CipherReference URI="OEBPS/one.xhtml"/></e:CipherData></e:EncryptedData></encryption>`,
  })
  const aes = epub(chapters, { parts: encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc') })
  await assert.rejects(readAll(readEpub, aes), { code: 'file_encrypted' })
  const font = epub(chapters, { parts: encryption('http://www.idpf.org/2008/embedding') })
  assert.equal((await readAll(readEpub, font)).parts.length, 2)
})

test('readEpub refuses what is no book, and bombs', async () => {
  await assert.rejects(readAll(readEpub, Buffer.from('PK')), { code: 'file_unreadable' })
  await assert.rejects(readAll(readEpub, writeZip({ a: 'x' })), { code: 'file_unreadable' })
  const bomb = Buffer.alloc(8 * 2 ** 20, '<p>')
  const packed = epub(chapters, { stored: false, parts: { 'OEBPS/one.xhtml': bomb } })
  await assert.rejects(readAll(readEpub, packed), { code: 'file_over_limit' })
  const honest = epub(chapters, { parts: { 'OEBPS/one.xhtml': '<p>x'.repeat(2000) } })
  await assert.rejects(readAll(readEpub, honest, { htmlElements: 1000 }), { code: 'file_over_limit' })
  const deep = epub(chapters, { parts: { 'OEBPS/one.xhtml': '<div>'.repeat(2000) } })
  await assert.rejects(readAll(readEpub, deep), { code: 'file_over_limit' })
  const long = epub(chapters, { parts: { 'OEBPS/one.xhtml': 'word '.repeat(1000) } })
  await assert.rejects(readAll(readEpub, long, { textLength: 1000 }), { code: 'file_over_limit' })
  const laughs = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><package><metadata><title>&b;</title></metadata>
    <manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>`
  const entities = epub(chapters, { parts: { 'OEBPS/book.opf': laughs, 'OEBPS/a.xhtml': '<p>text &b;' } })
  const { parts } = await readAll(readEpub, entities)
  assert.deepEqual([parts[0]?.pageContent, parts[0]?.metadata.title], ['text &b;', '&b;'])
})
