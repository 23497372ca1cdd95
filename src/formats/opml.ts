import type { Metadata } from '../contract/document.ts'
import { Extraction } from './extraction.ts'
import { describedText } from './ics-description.ts'
import { oneLine } from './markdown-table.ts'
import type { FormatReader } from './reader.ts'
import { readXmlInSteps, type XmlAttributes } from './xml.ts'

/** A line of the outline; lines at the top have depth 0. */
type Line = { depth: number; text: string; note: string; address: string }

/**
 * Reads an outline or a list of feeds (OPML 2.0) as one document of markdown: the lines at the top are headings, if
 * any of them has others below it; all others are items of lists, with their notes and addresses. Text that is HTML is read as such.
 * Metadata: `title` and `author`, where the file has them.
 */
export const readOpml: FormatReader = async function* (file, _options, limits) {
  const source = new Extraction(file, limits)
  const lines: Line[] = []
  const metadata: Metadata = {}
  let depth = 0
  let isOutline = false
  const steps = readXmlInSteps(
    file.bytes,
    {
      opml: { open: () => (isOutline = true) },
      title: textOf((title) => (metadata.title = title)),
      ownerName: textOf((author) => (metadata.author = author)),
      outline: {
        open(attributes) {
          if (lines.push(lineOf(attributes, depth++)) > limits.htmlElements)
            source.overLimit('it has too many lines')
        },
        close: () => depth--,
      },
    },
    limits,
    { file: file.name, part: 'the outline' },
  )
  let step = steps.next()
  while (!step.done) step = steps.next()
  if (!isOutline) source.unreadable('it is not an outline')
  if (step.value > 0) {
    source.note('the outline is not well-formed XML; some of its text may be missing')
    source.drop('damagedPart')
  }
  const written: string[] = []
  const isNested = lines.some(({ depth }) => depth > 0)
  for (const line of lines) {
    const isHeading = isNested && line.depth === 0
    const block = await markdownOf(line, isHeading, (text) => describedText(text, limits))
    source.countText(block.length)
    if (block === '') continue
    if (isHeading && written.length > 0 && written.at(-1) !== '') written.push('')
    written.push(block)
    if (isHeading) written.push('')
  }
  const pageContent = written.join('\n').trim()
  if (pageContent !== '') yield { pageContent, metadata, last: true }
  yield* source.report()
}

/** Hands over the text of an element, unless it is empty. */
function textOf(keep: (text: string) => void) {
  let text = ''
  return {
    text: (more: string) => {
      text += more
    },
    close: () => {
      if (text.trim() !== '') keep(oneLine(text.trim()))
      text = ''
    },
  }
}

/** Feeds have `title` and `xmlUrl`, links `url`; `_note` is what outliners write below a line. */
function lineOf({ text, title, _note, htmlUrl, url, xmlUrl }: XmlAttributes, depth: number): Line {
  return { depth, text: text ?? title ?? '', note: _note ?? '', address: htmlUrl ?? url ?? xmlUrl ?? '' }
}

async function markdownOf(
  { depth, text, note, address }: Line,
  isHeading: boolean,
  toText: (text: string) => Promise<string>,
): Promise<string> {
  const words = oneLine((await toText(text)).trim())
  const shown = address === '' || words.includes(address) ? words : `${words} (${address})`.trim()
  const below = (await toText(note)).trim()
  if (shown === '' && below === '') return ''
  if (isHeading) return [shown === '' ? '' : `## ${shown}`, below].filter((one) => one !== '').join('\n\n')
  const indent = '  '.repeat(Math.max(0, depth - 1))
  const noted =
    below === ''
      ? ''
      : below
          .split(/\r?\n/)
          .map((line) => `\n${indent}  ${line}`)
          .join('')
  return `${indent}- ${shown}${noted}`
}
