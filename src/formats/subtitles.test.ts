import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStream, streamTexts } from '../../test/support/read-stream.ts'
import { clockTime } from './subtitle-cues.ts'
import { readSubtitles } from './subtitles.ts'

test('readSubtitles joins the cues of SubRip to a passage with its times [formats:subtitles]', async () => {
  const srt =
    '\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\n{\\an8}<i>Otters</i> swim\r\nin rivers.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n- They dive.\r\n'
  assert.deepEqual(await readStream(readSubtitles, srt), [
    {
      pageContent: 'Otters swim in rivers.\n- They dive.',
      metadata: { start: '00:00:01.000', end: '00:00:04.000' },
      last: true,
    },
  ])
})

test('readSubtitles reads WebVTT: speakers, markup, entities; not its comments and styles [formats:subtitles]', async () => {
  const vtt = `WEBVTT - a talk\nKind: captions\n\nNOTE\na comment\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start
<v.loud Ada>Tom &amp; <c.x>Jerry</c>\n\n00:02.000 --> 00:03.000\n<v Ada>went <00:02.500>home.\n\n1:00:04.000 --> 1:00:05.000\n<v Bob>a &lt; b\n`
  assert.deepEqual(
    (await readStream(readSubtitles, vtt)).map(
      (item) => 'pageContent' in item && [item.pageContent, item.metadata.start],
    ),
    [
      ['Ada: Tom & Jerry went home.', '00:00:01.000'],
      ['Bob: a < b', '01:00:04.000'],
    ],
  )
})

test('readSubtitles ends a passage with a sentence, before a pause, and at its longest [formats:subtitles]', async () => {
  const cue = (second: number, text: string) => `${clockTime(second)} --> ${clockTime(second + 1)}\n${text}\n`
  const sentences = Array.from({ length: 40 }, (_, index) =>
    cue(index, `word `.repeat(10) + (index % 2 ? 'end.' : 'and')),
  )
  const texts = await streamTexts(readSubtitles, `WEBVTT\n\n${sentences.join('\n')}`)
  assert.ok(texts.length > 1)
  for (const text of texts) assert.match(text, /end\.$/)
  const endless = Array.from({ length: 40 }, (_, index) => cue(index, 'word '.repeat(20)))
  for (const text of await streamTexts(readSubtitles, `WEBVTT\n\n${endless.join('\n')}`))
    assert.ok(text.length < 1800)
  const apart = `WEBVTT\n\n${cue(0, 'before')}\n${cue(60, 'after')}`
  assert.deepEqual(await streamTexts(readSubtitles, apart), ['before', 'after'])
})

test('readSubtitles keeps lines that roll on once', async () => {
  const vtt =
    'WEBVTT\n\n00:01.000 --> 00:02.000\none\n\n00:02.000 --> 00:03.000\none\ntwo\n\n00:03.000 --> 00:04.000\ntwo\nthree\n'
  assert.deepEqual(await streamTexts(readSubtitles, vtt), ['one two three'])
})

test('readSubtitles refuses a text without times, and bounds lines', async () => {
  assert.deepEqual(await readStream(readSubtitles, 'WEBVTT\n'), [])
  await assert.rejects(readStream(readSubtitles, 'just\nwords\n'), { code: 'file_unreadable' })
  await assert.rejects(readStream(readSubtitles, 'x'.repeat(3000), { lineLength: 1000 }), {
    code: 'file_over_limit',
  })
  const odd = `00:01.000 --> 00:02.000\n<v ${'<'.repeat(1000)}\n\n99:99:99.999 --> 0:00.000\nx\n`
  assert.equal((await streamTexts(readSubtitles, odd)).at(-1)?.at(-1), 'x')
})
