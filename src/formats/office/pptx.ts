import { OfficePackage } from './office-package.ts'
import { readSlide } from './pptx-slide.ts'
import type { FormatReader } from '../reader.ts'
import { type ElementRule, prefixedAttribute } from '../xml.ts'

/**
 * Reads a PowerPoint deck: a document per slide, in the order of the presentation, with its notes and comments.
 * Metadata: `slideNumber` (from 1), `documentType`, and `hidden` on slides that are not shown. A slide without text
 * gives no document.
 */
export const readPptx: FormatReader = function* (file, _options, limits) {
  const source = new OfficePackage(file, limits)
  const main = source.mainPart('ppt/presentation.xml')
  const authors = readAuthors(source, main)
  for (const [index, part] of slideParts(source, main).entries()) {
    const page = index + 1
    const slide = readSlide(source, { part, page }, IN_SLIDES)
    const notes = source
      .related(part, 'notesSlide')
      .flatMap((notes) => readSlide(source, { part: notes, page }, IN_NOTES).blocks)
    const comments = source.related(part, 'comments').flatMap((part) => readComments(source, part, authors))
    const blocks = [...slide.blocks, ...(notes.length > 0 ? [`Notes: ${notes.join('\n')}`] : []), ...comments]
    if (blocks.length === 0) continue
    const metadata = {
      slideNumber: page,
      documentType: 'powerpoint',
      ...(slide.isHidden && { hidden: true }),
    }
    yield { pageContent: blocks.join('\n\n'), metadata, last: true }
  }
  yield* source.report()
}

/** The roles of shapes that repeat the same on all slides. */
const IN_SLIDES: ReadonlySet<string> = new Set(['sldNum', 'dt'])
const IN_NOTES: ReadonlySet<string> = new Set(['sldNum', 'dt', 'hdr', 'ftr', 'sldImg'])

/** The order of slides is in the presentation; the names of their parts do not give it. */
function slideParts(source: OfficePackage, main: string): string[] {
  const relationships = source.relationships(main)
  const ids: string[] = []
  let isDeck = false
  source.readMain(main, {
    presentation: { open: () => (isDeck = true) },
    sldId: { open: (attributes) => ids.push(prefixedAttribute(attributes, 'id') ?? '') },
  })
  if (!isDeck) source.unreadable('it is not a PowerPoint deck')
  const targets = ids.map((id) => relationships.get(id)?.target ?? '')
  const listed = new Set(targets.filter((target) => source.has(target)))
  return listed.size > 0 ? [...listed] : source.related(main, 'slide')
}

/** Author names by id, of both the comment format until 2018 and the present one. */
function readAuthors(source: OfficePackage, main: string): Map<string, string> {
  const authors = new Map<string, string>()
  const author: ElementRule = {
    open: ({ id = '', name = '' }) => authors.set(id, name),
  }
  for (const part of [...source.related(main, 'commentAuthors'), ...source.related(main, 'authors')]) {
    source.read(part, { cmAuthor: author, author })
  }
  return authors
}

function readComments(source: OfficePackage, part: string, authors: ReadonlyMap<string, string>): string[] {
  const blocks: string[] = []
  const open: { author: string; text: string }[] = []
  const comment: ElementRule = {
    open: ({ authorId = '' }) => open.push({ author: authors.get(authorId) ?? '', text: '' }),
    close() {
      const { author, text } = open.pop()!
      if (text.trim() === '') return
      const by = author === '' ? 'Comment' : `Comment by ${author}`
      source.countText(by.length)
      blocks.push(`${by}: ${text.trim()}`)
    },
  }
  const write = (text: string) => {
    source.countText(text.length)
    const innermost = open.at(-1)
    if (innermost) innermost.text += text
  }
  source.read(part, { cm: comment, reply: comment, text: { text: write }, t: { text: write } })
  return blocks
}
