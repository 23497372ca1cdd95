import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStream, streamTexts } from '../../../test/support/read-stream.ts'
import { readRtf } from './rtf.ts'

const raw = String.raw
const rtf = (content: string, head = raw`\ansi\ansicpg1252`) =>
  Buffer.from(`{\\rtf1${head} ${content}}`, 'latin1')
const textOf = async (content: string, head?: string) =>
  (await streamTexts(readRtf, rtf(content, head)))[0] ?? ''

test('readRtf reads paragraphs, characters and their control words [formats:rtf]', async () => {
  const content = raw`one\tab two\line three\par
four \{five\}\emdash six\~seven\_\-eight\lquote x\rquote\par\par`
  assert.equal(
    await textOf(content),
    'one\ttwo\nthree\n\nfour {five}\u2014six\u00a0seven\u2011eight\u2018x\u2019',
  )
})

test('readRtf decodes bytes by code page and font, and Unicode with its fallback [formats:rtf]', async () => {
  const fonts = raw`{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}{\f3\fcharset2 Symbol;}}`
  assert.equal(await textOf(raw`caf\'e9`), 'café')
  assert.equal(await textOf(raw`${fonts}\f1 \'cf\'f0\'e8\'e2\'e5\'f2 \f0 caf\'e9`), 'Привет café')
  // the second byte of the second character is a letter
  assert.equal(await textOf(raw`${fonts}\f2 \'8a\'bf\'83A`), '漢ア')
  assert.equal(await textOf(raw`${fonts}{\f3 \'b7} item`), '• item')
  assert.equal(
    await textOf(raw`\uc1 Gr\u252?\u223\'dfe \uc2 a\u8364EUb \uc0 \u26085\u-10179\u-9024.`),
    'Grüße a€b 日📀.',
  )
  assert.equal(await textOf(raw`\'cf\'f0`, raw`\ansi\ansicpg1251`), 'Пр')
  assert.equal(await textOf(raw`\'8e`, raw`\mac`), 'é')
  assert.equal(await textOf(raw`{\upr{ansi}{\*\ud{\u252?ber}}}`), 'über')
})

test('readRtf reads headings, list numbers and tables [formats:rtf]', async () => {
  const styles = raw`{\stylesheet{Normal;}{\s1\b heading 1;}{\s2 Title;}{\s3\outlinelevel2 Mine;}{\*\cs4 char;}}`
  const list = raw`{\listtext\f3\'b7\tab}dot\par\pard\ilvl1{\listtext 2.1.\tab}two\par\pard`
  const table = raw`\trowd\cellx1\cellx2\intbl a\cell {\b b}\par c\cell\row\intbl\cell d\cell\row\pard after\par`
  assert.equal(
    await textOf(
      raw`${styles}\pard\s2 Plan\par\pard\s1{\listtext 1.\tab}First\par\pard\s3 Deep\par\pard\outlinelevel0 Direct\par\pard ${list}${table}`,
    ),
    '# Plan\n\n# 1. First\n\n### Deep\n\n# Direct\n\n- dot\n\n  2.1. two\n\n| a | b c |\n| --- | --- |\n|  | d |\n\nafter',
  )
  const nested = raw`\trowd\intbl\itap1 out\par\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}\itap1\cell end\cell\row\pard\par`
  assert.equal(await textOf(nested), '| out x y | end |\n| --- | --- |')
})

test('readRtf reads notes, comments, headers and footers, and text boxes [formats:rtf]', async () => {
  const notes = raw`text{\super\chftn{\footnote\pard {\super\chftn} foot}}{\footnote\ftnalt end}{\*\atnid AB}{\*\atnauthor Ada}\chatn{\*\annotation{\*\atnref 1}{\*\atndate 2}why}`
  const margins = raw`{\header Company\par}{\headerf Company\par}{\footer {\field{\*\fldinst PAGE}{\fldrslt 3}}\par}{\footerl Secret\par}`
  const box = raw`{\shp{\*\shpinst\shpleft1{\sp{\sn a}{\sv 1}}{\shptxt boxed\par}}{\shprslt{\*\do{\dptxbxtext boxed}}}}`
  const link = raw`{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt link}}`
  assert.equal(
    await textOf(raw`${margins}${notes} ${link}${box}\par`),
    'Company\n\nboxed\n\ntext[^1][^e1][^c1] link\n\n[^1]: foot\n\n[^e1]: end\n\n[^c1]: Ada: why\n\nSecret',
  )
})

test('readRtf leaves out hidden and deleted text, unknown destinations and pictures, which it counts [formats:rtf]', async () => {
  const content = raw`{\*\unknown secret}{\colortbl;\red0;}a{\v hidden}{\deleted gone}b{\pict\pngblip 89504e47}{\*\shppict{\pict\bin5 }}}{x}}{\nonshppict{\pict 00}}{\object{\*\objdata 00}{\result c}}\par`
  assert.deepEqual(await readStream(readRtf, rtf(content)), [
    { dropped: { kind: 'picture', count: 2 } },
    { pageContent: 'abc', metadata: {}, last: true },
  ])
})

test('readRtf gives title, author and times where the file has them', async () => {
  const info = raw`{\info{\title Plan}{\author Ada}{\operator Bob}{\creatim\yr2024\mo5\dy1\hr9\min5}{\doccomm no}}`
  const [part] = await readStream(readRtf, rtf(`${info}text`))
  assert.ok(part && 'pageContent' in part)
  assert.deepEqual(
    [part.pageContent, part.metadata],
    ['text', { title: 'Plan', author: 'Ada', created: '2024-05-01T09:05' }],
  )
})

test('readRtf gives the same text wherever the file is divided into pieces', async () => {
  const paragraph = raw`Gr\u252?\u223\'dfe \b bold\b0  {\i in} \emdash end.\par `
  const padding = 'x'.repeat(256 * 1024 - 40)
  for (let shift = 0; shift < 60; shift += 7) {
    const text = await textOf(`${padding}${'y'.repeat(shift)}${paragraph.repeat(3)}`)
    assert.equal(
      text.slice(text.indexOf('Gr')),
      'Grüße bold in —end.\n\nGrüße bold in —end.\n\nGrüße bold in —end.',
    )
  }
})

test('readRtf refuses what is no rich text, and bounds hostile files [formats:rtf]', async () => {
  await assert.rejects(readStream(readRtf, 'hello'), { code: 'file_unreadable' })
  await assert.rejects(readStream(readRtf, rtf('{'.repeat(100_000))), { code: 'file_over_limit' })
  await assert.rejects(readStream(readRtf, rtf(raw`\par text `.repeat(1000)), { textLength: 1000 }), {
    code: 'file_over_limit',
  })
  const deepTables = raw`\intbl\itap1000000 x\nestcell\nestrow`
  assert.match(await textOf(deepTables), /x/)
  const items = await readStream(readRtf, Buffer.from(raw`{\rtf1 begun {\b and not ended`))
  assert.deepEqual(items, [
    { note: 'the file ends in the middle; some of its text may be missing' },
    { pageContent: 'begun and not ended', metadata: {}, last: true },
  ])
  assert.equal(
    (await streamTexts(readRtf, Buffer.from(raw`{\rtf1 a}}}}\'zz\bin-5 b\u99999999999 c\'`)))[0]?.[0],
    'a',
  )
})
