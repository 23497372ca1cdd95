import { readLists } from './docx-lists.ts'
import { DocxStory } from './docx-story.ts'
import { readStyles } from './docx-styles.ts'
import { drawingRules } from './office-drawing.ts'
import { OfficePackage } from './office-package.ts'
import type { FormatReader } from '../reader.ts'
import { renderBlock } from '../story-block.ts'
import { attribute, type ElementRule, SKIP } from '../xml.ts'

/**
 * Reads a Word document as one markdown text: headers, body, notes, comments, footers, with a blank line between
 * blocks. Footnotes, endnotes and comments are marked `[^1]`, `[^e1]`, `[^c1]`, both at the reference and at the
 * note. Metadata: `title`, `author`, `created`, `modified`, if the document has them.
 */
export const readDocx: FormatReader = function* (file, _options, limits) {
  const source = new OfficePackage(file, limits)
  const main = source.mainPart('word/document.xml')
  const styles = readStyles(source, source.related(main, 'styles')[0])
  const lists = readLists(source, source.related(main, 'numbering')[0])
  const story = new DocxStory(source, styles, lists)

  const body = (): string[] => {
    let isWord = false
    source.readMain(main, {
      ...story.rules,
      ...drawingRules(source, main, (block) => story.put(block)),
      document: { open: () => (isWord = true) },
    })
    if (!isWord) source.unreadable('it is not a Word document')
    return story.take().map(renderBlock)
  }

  /** Headers and footers without a letter are page numbers and are left out; equal ones are kept once. */
  const seen = new Set<string>()
  const margins = (type: 'header' | 'footer'): string[] => {
    const texts = source.related(main, type).map((part) => {
      source.read(part, story.rules)
      return story.take().map(renderBlock).join('\n\n')
    })
    return texts.filter((text) => {
      const kind = !/\p{L}/u.test(text) ? 'pageNumber' : seen.has(text) ? 'repeatedLine' : undefined
      seen.add(text)
      if (kind && text !== '') source.drop(kind, { part: type })
      return kind === undefined
    })
  }

  const notes = (type: 'footnotes' | 'endnotes' | 'comments', prefix: string): string[] => {
    const found: string[] = []
    let label = ''
    const note: ElementRule = {
      open(attributes) {
        // the separator line above the notes is stored as a note of another type
        if ((attribute(attributes, 'type') ?? 'normal') !== 'normal') return SKIP
        const author = attribute(attributes, 'author')
        label = `[^${prefix}${attribute(attributes, 'id')}]: ${author ? `${author}: ` : ''}`
        return undefined
      },
      close() {
        const text = story.take().map(renderBlock).join('\n')
        if (text === '') return
        source.countText(label.length)
        found.push(label + text)
      },
    }
    for (const part of source.related(main, type)) {
      source.read(part, { ...story.rules, footnote: note, endnote: note, comment: note })
    }
    return found
  }

  const blocks = [
    ...margins('header'),
    ...body(),
    ...notes('footnotes', ''),
    ...notes('endnotes', 'e'),
    ...notes('comments', 'c'),
    ...margins('footer'),
  ]
  const metadata = source.properties()
  yield* source.report()
  if (blocks.length > 0) yield { pageContent: blocks.join('\n\n'), metadata, last: true }
}
