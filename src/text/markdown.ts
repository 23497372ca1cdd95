import type { TextSplitter } from '../contract/splitter.ts'
import { HeadingCutter } from './heading-cutter.ts'
import { LANGUAGE_SEPARATORS } from './languages.ts'
import { separatorSplitter } from './separator-splitter.ts'
import { checkChunkSizes, type ChunkSizes } from './chunk-sizes.ts'
import { splitterId } from './splitter-id.ts'

/** Up to which level a heading begins a new chunk; the index in the list is the level. */
export const HEADER_MODES = ['disabled', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const
export type HeaderMode = (typeof HEADER_MODES)[number]

export type MarkdownOptions = ChunkSizes & {
  /** `h2` begins a chunk at every heading of the first or second level; `disabled` (the default) goes by size alone. */
  splitByHeaders?: HeaderMode
}

/**
 * Cuts markdown at headings, code blocks, rules and paragraphs.
 *
 * Without headers it is the recursive splitter with the separators of markdown: the chunks of MarkdownTextSplitter in
 * @langchain/textsplitters 1.0.2. With headers each section, from its heading to the next one of these levels, is a
 * chunk; a section larger than `chunkSize` is cut further as above, and sections never overlap.
 *
 * @throws RangeError for invalid settings
 */
export function markdownSplitter(options: MarkdownOptions): TextSplitter {
  checkChunkSizes(options)
  const { chunkSize, chunkOverlap, splitByHeaders = 'disabled' } = options
  const depth = HEADER_MODES.indexOf(splitByHeaders)
  if (depth < 0)
    throw new RangeError(
      `splitByHeaders must be one of ${HEADER_MODES.join(', ')}, received ${JSON.stringify(splitByHeaders)}`,
    )
  const id = splitterId('markdown', { chunkSize, chunkOverlap, splitByHeaders })
  const separators = LANGUAGE_SEPARATORS.markdown
  const rules = { chunkSize, chunkOverlap, separators, keepSeparator: true, descend: true }
  if (depth === 0) return separatorSplitter(id, rules)
  const open = (): HeadingCutter => new HeadingCutter(depth, rules)
  return {
    id,
    open,
    split(text) {
      const cutter = open()
      return [...cutter.push(text), ...cutter.end()]
    },
  }
}
