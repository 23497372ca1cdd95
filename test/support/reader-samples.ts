import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { FILE_TYPES, type FileType, type ParseOptions } from '../../src/contract/file-parser.ts'
import { FILE_TYPE_FACTS } from '../../src/formats/file-types.ts'
import { readFileParts } from '../../src/formats/read-file.ts'
import { fileTypeOf } from '../../src/formats/sniff.ts'
import { sha256 } from '../../src/kit/hash.ts'
import { collect } from './collect.ts'
import { type PdfLine, type PdfPage, paragraphLines, writePdf } from './pdf-writer.ts'
import { docx, pdf, pptx, xlsx } from './small-files.ts'

type Sample = { name: string; bytes: Uint8Array; options?: ParseOptions }

const text = (name: string, content: string, options: ParseOptions = {}): Sample => ({
  name,
  bytes: Buffer.from(content),
  options,
})

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
const SMALL: Readonly<Record<FileType, readonly Sample[]>> = {
  csv: [
    text('quoted.csv', 'name,note\n"Otter","swims, dives\nand ""sleeps"""\nBadger,\n'),
    text('semicolons.csv', 'name;weight\nOtter;8,5\n'),
    text('column.csv', 'name,habit\nOtter,swims\n', { columnName: 'habit' }),
    text('tabs.tsv', 'name\tweight\nOtter\t8\n'),
  ],
  docx: [{ name: 'small.docx', bytes: docx('Otters swim.') }],
  html: [
    text(
      'page.html',
      '<title>Zoo</title><h1>Otters</h1><p>They <b>swim</b>.</p><ul><li>one<li>two</ul><table><tr><th>a<th>b<tr><td>1<td>2</table><pre>x\n y</pre><script>no()</script>',
    ),
    text('permalink.html', '<h2>Otters<a class="headerlink" href="#otters">¶</a></h2><p>They swim.</p>'),
    text('part.html', '<main><p>in</p></main><p>out</p>', { selector: 'main' }),
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
  text: [
    text('marked.txt', '\ufeffOtters\r\nswim.\n'),
    { name: 'utf-16.txt', bytes: Buffer.from('\ufeffOtters dive.', 'utf16le') },
    text('notes.md', '# Otters\n\nThey swim.\n'),
  ],
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
    for (const { name, bytes, options = {} } of [...SMALL[type], ...ofType]) {
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
