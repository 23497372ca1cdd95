import { oneLine } from '../markdown-table.ts'
import { ODF_CONTENT, openOdf } from './odf-package.ts'
import { OdfStory } from './odf-story.ts'
import { readOdfStyles } from './odf-styles.ts'
import type { FormatReader } from '../reader.ts'
import { renderBlock } from '../story-block.ts'
import { attribute, type ElementRule, SKIP_ELEMENT, type XmlAttributes } from '../xml.ts'

type Slide = { title: string; blocks: string[]; notes: string[]; comments: string[]; isHidden: boolean }

/**
 * Reads an OpenDocument presentation or drawing: a document per slide with its notes and comments, in the form of a
 * PowerPoint deck. Metadata: `slideNumber` (from 1), and `hidden` on slides that are not shown. A slide without text
 * gives no document.
 */
export const readOdp: FormatReader = function* (file, _options, limits) {
  const source = openOdf(file, limits)
  const styles = readOdfStyles(source)
  const story = new OdfStory(source, styles)
  const slides: Slide[] = []
  let isDeck = false
  let inNotes = false
  let role = ''

  const slide = (): Slide | undefined => slides.at(-1)
  const place = (text: string) => {
    const to = slide()
    if (text === '' || !to) return
    if (!inNotes && role === 'title' && to.title === '') to.title = `# ${oneLine(text)}`
    else (inNotes ? to.notes : to.blocks).push(text)
  }
  /** The text of a shape is one block; the shapes inside a group are blocks of their own. */
  let depth = 0
  const shape = (inner: ElementRule | undefined): ElementRule => ({
    open(attributes: XmlAttributes) {
      const given = attribute(attributes, 'class') ?? ''
      if (depth === 0) role = given
      if (depth++ === 0) story.begin()
      inner?.open?.(attributes)
    },
    close() {
      inner?.close?.()
      if (--depth > 0) return
      const text = story.end().map(renderBlock).join('\n')
      if (!REPEATED.has(role)) place(text)
      role = ''
    },
  })
  const shapes = Object.fromEntries(
    [
      'frame',
      'custom-shape',
      'rect',
      'ellipse',
      'circle',
      'line',
      'polyline',
      'polygon',
      'path',
      'connector',
    ].map((name) => [name, shape(story.rules[name])]),
  )
  const body = { open: () => (isDeck = true) }
  source.readMain(ODF_CONTENT, {
    ...styles.rules,
    ...story.rules,
    ...shapes,
    g: {},
    presentation: body,
    drawing: body,
    page: {
      open(attributes) {
        const isHidden = styles.hides(attribute(attributes, 'style-name'))
        slides.push({ title: '', blocks: [], notes: [], comments: [], isHidden })
      },
      close() {
        for (const { author, text } of story.comments.splice(0))
          if (text !== '') slide()?.comments.push(`Comment${author === '' ? '' : ` by ${author}`}: ${text}`)
      },
    },
    notes: { open: () => (inNotes = true), close: () => (inNotes = false) },
    settings: SKIP_ELEMENT,
  })
  if (!isDeck) source.unreadable('it is not an OpenDocument presentation')

  for (const [index, { title, blocks, notes, comments, isHidden }] of slides.entries()) {
    const all = [
      ...(title === '' ? [] : [title]),
      ...blocks,
      ...(notes.length > 0 ? [`Notes: ${notes.join('\n')}`] : []),
      ...comments,
    ]
    if (all.length === 0) continue
    const metadata = { slideNumber: index + 1, ...(isHidden && { hidden: true }) }
    yield { pageContent: all.join('\n\n'), metadata, last: true }
  }
  yield* source.report()
}

/** The roles of shapes that repeat the same on all slides. */
const REPEATED: ReadonlySet<string> = new Set(['page-number', 'date-time', 'header', 'footer'])
