import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { FILE_TYPES, type FileType, type ParseOptions } from '../../src/contract/file-parser.ts'
import { FILE_TYPE_FACTS } from '../../src/formats/file-types.ts'
import { readFileParts } from '../../src/formats/read-file.ts'
import { fileTypeOf } from '../../src/formats/sniff.ts'
import { sha256 } from '../../src/kit/hash.ts'
import { collect } from './collect.ts'
import { writeMsg } from './msg-writer.ts'
import {
  attached,
  codeCell,
  HEADERS,
  mail,
  mailbox,
  mailOfParts,
  multipart,
  notebook,
} from './small-mails.ts'
import { epub } from './epub-files.ts'
import { odf, odsCell, odtHeading, odtParagraph } from './odf-files.ts'
import { doc, docx, odp, ods, odt, pdf, png, pptx, xls, xlsx } from './small-files.ts'
import { type PdfLine, type PdfPage, paragraphLines, writePdf } from './pdf-writer.ts'

/** Marks of notes. */
const NOTED =
  'Otters<a epub:type="noteref" href="#one">1</a> swim<sup><a href="#two">2</a></sup> in 10 m<sup>3</sup>.'

type Sample = { name: string; bytes: Uint8Array; options?: ParseOptions }

const text = (name: string, content: string, options: ParseOptions = {}): Sample => ({
  name,
  bytes: Buffer.from(content),
  options,
})

const PLAIN_AND_HTML = [
  { type: 'text/plain; charset=utf-8', body: 'Otters swim.' },
  { type: 'text/html; charset=utf-8', body: '<p>Otters <b>swim</b>.' },
] as const
const CODE: PdfLine[] = [
  { text: 'def swims(otter):', y: 700, isFixedWidth: true },
  { text: 'return True', x: 100.8, y: 686, isFixedWidth: true },
]
/** The accent is over the letter that begins the second run. */
const ACCENTS: PdfLine[] = [
  { text: 'Hans Br¨', y: 700 },
  { text: 'oker', x: 115.3, y: 700 },
]
const DOUBLED: PdfLine[] = [72, 72.4].map((x) => ({ text: 'Otters swim.', x, y: 700 }))
const HYPHENS = paragraphLines([
  'Debian users like a text-based and Debian-',
  'based infor-',
  'mation, or information.',
])
const CELLS: PdfLine[] = ['Otter', 'Badger', 'Stoat'].flatMap((name, row) => [
  { text: name, y: 700 - row * 40 },
  { text: 'does what it likes', x: 200, y: 700 - row * 40 },
  { text: 'and nothing else', x: 200, y: 686 - row * 40 },
])
const LARGE_SENTENCE: PdfLine[] = [
  { text: 'This text was written by an otter.', y: 720, size: 20 },
  ...paragraphLines(['Otters swim in rivers and in the sea, and eat what they find there.'], 690),
]
const footed = (number: number): PdfPage => ({
  lines: [
    { text: `Otters swim in part ${number}.`, y: 500 },
    { text: 'About otters', y: 810 },
    { text: `Page ${number} of 3`, y: 30 },
  ],
})

/** Small files that use what each reader can do; those of examples/documents come on top. */
export const SAMPLES: Readonly<Record<FileType, readonly Sample[]>> = {
  csv: [
    text('quoted.csv', 'name,note\n"Otter","swims, dives\nand ""sleeps"""\nBadger,\n'),
    text('semicolons.csv', 'name;weight\nOtter;8,5\n'),
    text('column.csv', 'name,habit\nOtter,swims\n', { columnName: 'habit' }),
    text('tabs.tsv', 'name\tweight\nOtter\t8\n'),
  ],
  doc: [{ name: 'small.doc', bytes: doc('Otters swim.') }],
  docx: [{ name: 'small.docx', bytes: docx('Otters swim.') }],
  eml: [
    text('plain.eml', mail(HEADERS, 'Otters swim.\n')),
    text('notes.eml', mail({ ...HEADERS, 'Content-Type': 'text/html' }, NOTED)),
    text(
      'parts.eml',
      mailOfParts('mixed', [
        { ...multipart('alternative', [PLAIN_AND_HTML[0], PLAIN_AND_HTML[1]], 'b2') },
        attached('rows.csv', 'text/csv', 'name,habit\nOtter,swims\n'),
        attached('photo.png', 'image/png', png()),
        attached('inner.eml', 'message/rfc822', mail(HEADERS, 'Badgers dig.\n')),
      ]),
    ),
  ],
  epub: [
    {
      name: 'small.epub',
      bytes: epub([{ file: 'one.xhtml', body: '<h1>Otters</h1><p>They swim.</p>', title: 'On otters' }]),
    },
    { name: 'notes.epub', bytes: epub([{ file: 'one.xhtml', body: `<p>${NOTED}</p>` }]) },
  ],
  html: [
    text('notes.html', NOTED),
    text(
      'page.html',
      '<title>Zoo</title><h1>Otters</h1><p>They <b>swim</b>.</p><ul><li>one<li>two</ul><table><tr><th>a<th>b<tr><td>1<td>2</table><pre>x\n y</pre><script>no()</script>',
    ),
    text('permalink.html', '<h2>Otters<a class="headerlink" href="#otters">¶</a></h2><p>They swim.</p>'),
    text('spans.html', '<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>'),
    text('part.html', '<main><p>in</p></main><p>out</p>', { selector: 'main' }),
  ],
  ipynb: [
    text(
      'small.ipynb',
      notebook([
        { cell_type: 'markdown', metadata: {}, source: ['# Otters\n', 'They swim.'] },
        codeCell(
          'count()',
          { output_type: 'stream', name: 'stdout', text: ['8\n'] },
          {
            output_type: 'display_data',
            data: { 'image/png': 'AAAA', 'text/plain': '<Figure>' },
            metadata: {},
          },
          { output_type: 'error', ename: 'E', evalue: 'no', traceback: ['\u001b[31mE: no\u001b[0m'] },
        ),
      ]),
    ),
  ],
  ics: [
    text(
      'html.ics',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Feeding\r\nDESCRIPTION:<p>Bring <b>fish</b></p><a href="https://zoo.example/">Pool</a>\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    ),
    text(
      'events.ics',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Feeding\r\nDTSTART:20260301T100000Z\r\nRRULE:FREQ=DAILY\r\nDESCRIPTION:Otters\\, wi\r\n th fish\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    ),
  ],
  json: [
    text('records.json', '[{"name":"Otter","weight":8.50,"tags":["wet"]},{"name":"Badger"}]'),
    text('table.json', '{"name":"hours","table":[["","Monday"],["open",""]]}'),
    text('objects.json', '[{"name":"Otter"},{"name":"Badger"}]', { separateByObject: true }),
    text('pointers.json', '{"a":{"text":"Otter"},"b":{"text":"Badger"}}', { pointers: ['text'] }),
  ],
  jsonl: [
    text('records.jsonl', '{"text":"Otter","n":1}\n\n{"text":"Badger","n":2}\n'),
    text('table.jsonl', '{"row":["","Monday",""]}\n{"row":["open","","9"]}\n'),
    text('pointers.jsonl', '{"text":"Otter","n":1}\n', {
      pointers: ['/text'],
      metadataPointers: { number: '/n' },
    }),
  ],
  mbox: [text('two.mbox', mailbox([mail(HEADERS, 'Otters swim.\n'), mail(HEADERS, 'From here on.\n')]))],
  msg: [
    {
      name: 'small.msg',
      bytes: writeMsg({
        subject: 'The otters',
        from: ['Ann Otter', 'ann@example.org'],
        to: [['Bob', 'bob@example.org']],
        sent: new Date('2026-11-03T07:15:00Z'),
        body: 'Otters swim.',
        attachments: [
          { name: 'rows.csv', content: Buffer.from('name,habit\nOtter,swims\n') },
          { name: 'inner', content: { subject: 'Badgers', body: 'They dig.' } },
        ],
      }),
    },
  ],
  odp: [{ name: 'small.odp', bytes: odp('Otters swim.') }],
  ods: [{ name: 'small.ods', bytes: ods('Otters swim.') }],
  odt: [
    { name: 'small.odt', bytes: odt('Otters swim.') },
    {
      name: 'rich.odt',
      bytes: odf(
        'text',
        `${odtHeading(1, 'Otters')}<text:list><text:list-item>${odtParagraph('swim')}</text:list-item></text:list>` +
          `<table:table><table:table-row>${odsCell('a')}${odsCell('b')}</table:table-row></table:table>` +
          `<text:p>They<text:note text:note-class="footnote"><text:note-body>${odtParagraph('all')}</text:note-body></text:note> dive.</text:p>`,
      ),
    },
  ],
  opml: [
    text(
      'feeds.opml',
      '<opml version="2.0"><head><title>Animals</title></head><body><outline text="News"><outline text="Otters" xmlUrl="https://zoo.example/feed" _note="daily"/></outline></body></opml>',
    ),
    text(
      'flat.opml',
      '<opml version="1.0"><body><outline text="Otters"/><outline text="&lt;i&gt;swim&lt;/i&gt;"/></body></opml>',
    ),
  ],
  pdf: [
    { name: 'small.pdf', bytes: pdf('Otters swim.'), options: { usage: 'perFile' } },
    { name: 'code.pdf', bytes: writePdf([{ lines: CODE }]) },
    { name: 'accents.pdf', bytes: writePdf([{ lines: ACCENTS }]) },
    { name: 'doubled.pdf', bytes: writePdf([{ lines: DOUBLED }]) },
    { name: 'hyphens.pdf', bytes: writePdf([{ lines: HYPHENS }]) },
    { name: 'cells.pdf', bytes: writePdf([{ lines: CELLS }]) },
    { name: 'sentence.pdf', bytes: writePdf([{ lines: LARGE_SENTENCE }]) },
    { name: 'footers.pdf', bytes: writePdf([1, 2, 3].map(footed)) },
  ],
  pptx: [{ name: 'small.pptx', bytes: pptx('Otters swim.') }],
  rtf: [
    text(
      'small.rtf',
      String.raw`{\rtf1\ansi\ansicpg1252{\stylesheet{\s1 heading 1;}}\pard\s1 Otters\par\pard They sw\'efm \u8211? all {\b of} them.{\footnote\pard Said once.}\par\trowd\intbl a\cell b\cell\row\pard\par}`,
    ),
  ],
  subtitles: [
    text(
      'talk.vtt',
      'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ada>Otters swim.\n\n00:03.000 --> 00:04.000\nThey dive.\n',
    ),
    text('talk.srt', '1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Otters</i> swim.\r\n'),
  ],
  text: [
    text('marked.txt', '\ufeffOtters\r\nswim.\n'),
    { name: 'utf-16.txt', bytes: Buffer.from('\ufeffOtters dive.', 'utf16le') },
    text('notes.md', '# Otters\n\nThey swim.\n'),
  ],
  xls: [{ name: 'small.xls', bytes: xls('Otters swim.') }],
  xlsx: [{ name: 'small.xlsx', bytes: xlsx('Otters swim.') }],
}

const EXAMPLES = path.join(import.meta.dirname, '../../examples/documents')

/** What a reader of one revision gives for the samples: SHA-256 of parts and notes, by the name of the sample. */
export type ReaderOutputs = { revision: number; samples: Record<string, string> }

/** Reads the samples of all types, through files in a folder. */
export async function readSamples(folder: string): Promise<Record<FileType, ReaderOutputs>> {
  const outputs: Partial<Record<FileType, ReaderOutputs>> = {}
  const examples = readdirSync(EXAMPLES).map(
    (name): Sample => ({ name, bytes: readFileSync(path.join(EXAMPLES, name)) }),
  )
  for (const type of FILE_TYPES) {
    const samples: Record<string, string> = {}
    const ofType = examples.filter(({ name, bytes }) => fileTypeOf(name, bytes.subarray(0, 65_536)) === type)
    for (const { name, bytes, options = {} } of [...SAMPLES[type], ...ofType]) {
      const file = path.join(folder, name)
      writeFileSync(file, bytes)
      const items = await collect(readFileParts({ path: file, name, type, options }))
      samples[name] = sha256(JSON.stringify(items))
    }
    outputs[type] = { revision: FILE_TYPE_FACTS[type].revision, samples }
  }
  return outputs as Record<FileType, ReaderOutputs>
}

/** The file in which the outputs of each reader's present revision stand. */
export const RECORDED_FILE = path.join(import.meta.dirname, '../fixtures/reader-outputs.json')

export const recordedOutputs = (): Record<string, ReaderOutputs> =>
  JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as Record<string, ReaderOutputs>

/**
 * What has to be done about the reader of a type, as a sentence; undefined where its samples are read as recorded. A
 * sample that was added or removed needs no new revision.
 */
export function complaintOf(
  type: FileType,
  recorded: ReaderOutputs | undefined,
  now: ReaderOutputs,
): string | undefined {
  const changed = Object.keys(now.samples).filter(
    (name) => recorded?.samples[name] !== undefined && recorded.samples[name] !== now.samples[name],
  )
  if (recorded?.revision === now.revision && changed.length > 0)
    return `the reader of ${type} gives other output than before for ${changed.join(', ')}: where that is meant, raise the revision of ${type} in src/formats/file-types.ts, then run npm run reader-outputs`
  const same =
    recorded?.revision === now.revision &&
    Object.keys(recorded.samples).sort().join() === Object.keys(now.samples).sort().join()
  return same ? undefined : `the samples of ${type} are not recorded: run npm run reader-outputs`
}
