import { ODF_CONTENT, ODF_STYLES, odfProperties, openOdf } from './odf-package.ts'
import { OdfStory } from './odf-story.ts'
import { readOdfStyles } from './odf-styles.ts'
import type { FormatReader } from '../reader.ts'
import { renderBlock } from '../story-block.ts'
import type { ElementRule } from '../xml.ts'

/**
 * Reads an OpenDocument text as one markdown text, in the form of a Word document: headers, body, notes, comments,
 * footers; see {@link readDocx}. Metadata: `title`, `author`, `created`, `modified`, if the document has them.
 */
export const readOdt: FormatReader = function* (file, _options, limits) {
  const source = openOdf(file, limits)
  const styles = readOdfStyles(source)
  const story = new OdfStory(source, styles)
  const texts = (blocks: ReturnType<typeof story.end>) => blocks.map(renderBlock).join('\n\n')

  /** Headers and footers without a letter are page numbers and are left out; equal ones are kept once. */
  const margins = { header: new Set<string>(), footer: new Set<string>() }
  const margin = (kind: 'header' | 'footer'): ElementRule => ({
    open: () => story.begin(),
    close: () => {
      const text = texts(story.end())
      if (/\p{L}/u.test(text) && !margins.header.has(text)) margins[kind].add(text)
    },
  })
  source.read(ODF_STYLES, {
    ...story.rules,
    ...Object.fromEntries(
      ['', '-left', '-first'].flatMap((place) => [
        [`header${place}`, margin('header')],
        [`footer${place}`, margin('footer')],
      ]),
    ),
  })
  story.take()

  let isText = false
  source.readMain(ODF_CONTENT, { ...styles.rules, ...story.rules, text: { open: () => (isText = true) } })
  if (!isText) source.unreadable('it is not an OpenDocument text')
  const blocks = [
    ...margins.header,
    ...story.take().map(renderBlock),
    ...[...story.notes.foot, ...story.notes.end].filter((note) => note !== ''),
    ...story.comments.flatMap(({ author, text }, index) =>
      text === '' ? [] : [`[^c${index + 1}]: ${author === '' ? '' : `${author}: `}${text}`],
    ),
    ...margins.footer,
  ]
  const metadata = odfProperties(source)
  yield* source.report()
  if (blocks.length > 0) yield { pageContent: blocks.join('\n\n'), metadata, last: true }
}
