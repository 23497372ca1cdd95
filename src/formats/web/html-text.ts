import { markdownTable, oneLine } from '../markdown-table.ts'
import { gridOf, type SpannedCell, spanOf } from './spanned-rows.ts'

/**
 * Converts the elements and texts of a page, in document order, to markdown: headings, lists, tables, quotes and
 * preformatted text keep their form; of links the text is kept, of pictures the alternative text. Scripts, styles,
 * drawings, embedded objects and the signs that link to a heading are left out.
 */
export class HtmlText {
  readonly #frames: Frame[] = [new Frame('')]
  readonly #lists: { number: number | undefined }[] = []
  #dropped = 0
  #preformatted = 0
  #title: string | undefined
  #inTitle = false
  /** The text so far of a link to a place in a page, while it is only a sign. */
  #mark: string | undefined

  open(name: string, attributes: Record<string, string>): void {
    if (DROPPED_ELEMENTS.has(name)) this.#dropped++
    if (this.#dropped > 0) return
    if (name === 'a' && attributes.href?.includes('#')) this.#mark = ''
    else if (name === 'br' || name === 'img' || FRAMES.has(name) || BLOCKS.has(name)) this.#keepMark()
    if (name === 'br') this.#top.write('\n')
    else if (name === 'img') this.#top.write(attributes.alt ?? '')
    else if (name === 'title') this.#inTitle = this.#title === undefined
    else if (FRAMES.has(name)) this.#frames.push(new Frame(name, attributes))
    else if (BLOCKS.has(name)) this.#top.endLine()
    if (name === 'ol') this.#lists.push({ number: Number.parseInt(attributes.start ?? '', 10) || 1 })
    if (name === 'ul') this.#lists.push({ number: undefined })
    if (name === 'tr') this.#top.rows.push([])
    if (name === 'pre') this.#preformatted++
  }

  text(text: string): void {
    if (this.#dropped > 0) return
    if (this.#mark !== undefined) {
      this.#mark += text
      if (!PERMALINK.test(this.#mark)) this.#keepMark()
      return
    }
    if (this.#inTitle) this.#title = (this.#title ?? '') + text
    else if (this.#preformatted > 0) this.#top.write(text)
    else this.#top.write(text.replace(/[\t\n\f\r ]+/g, ' '))
  }

  close(name: string): void {
    if (this.#dropped > 0) {
      if (DROPPED_ELEMENTS.has(name)) this.#dropped--
      return
    }
    if (name === 'a') this.#mark = undefined
    else if (FRAMES.has(name) || BLOCKS.has(name)) this.#keepMark()
    if (name === 'title') this.#inTitle = false
    if (name === 'ol' || name === 'ul') this.#lists.pop()
    if (name === 'pre') this.#preformatted--
    if (BLOCKS.has(name)) this.#top.endLine()
    if (!FRAMES.has(name) || this.#top.name !== name) return
    const frame = this.#frames.pop()!
    this.#take(frame, frame.text())
  }

  result(): { text: string; title: string } {
    return { text: this.#top.text(), title: oneLine(this.#title ?? '') }
  }

  get #top(): Frame {
    return this.#frames.at(-1)!
  }

  /** Writes what was held back as the text of a permalink. */
  #keepMark(): void {
    const text = this.#mark
    this.#mark = undefined
    if (text) this.text(text)
  }

  /** Adds the content of a closed frame to the frame around it. */
  #take({ name, rows, span, isLayout }: Frame, text: string): void {
    const around = this.#top
    around.endLine()
    if (name === 'td' || name === 'th') {
      if (around.rows.length > 0) around.rows.at(-1)!.push({ text, ...span })
      else around.add(text)
      return
    }
    const isTable = name === 'table'
    if ((isTable || /^h\d$/.test(name)) && /^t[dh]$/.test(around.name)) this.#frames.at(-2)!.isLayout = true
    if (isTable) {
      around.add(text)
      if (isLayout || rows.every((row) => row.length < 2))
        for (const cell of rows.flat()) around.add(cell.text)
      else around.add(markdownTable(gridOf(rows.filter((row) => row.length > 0))))
    } else if (text === '') return
    else if (name === 'li') around.add(`${this.#bullet()} ${this.#indented(text, '  ')}`, true)
    else if (name === 'blockquote') around.add(this.#indented(`> ${text}`, '> '))
    else if (name === 'pre') around.add(`\`\`\`\n${text}\n\`\`\``)
    else around.add(`${'#'.repeat(Number(name[1]))} ${oneLine(text)}`)
  }

  #bullet(): string {
    const list = this.#lists.at(-1)
    return list?.number === undefined ? '-' : `${list.number++}.`
  }

  /** Not beyond ten levels: deeper indentation is not readable, and a thousand levels would multiply the text. */
  #indented(text: string, indentation: string): string {
    return this.#frames.length > 10 ? text : text.replaceAll(/\n(?=.)/g, `\n${indentation}`)
  }
}

/** Elements whose text does not belong to the text of the page. */
export const DROPPED_ELEMENTS: ReadonlySet<string> = new Set(
  'audio canvas iframe noembed noframes noscript object script style svg template video'.split(' '),
)

/** The text of the link to itself that Sphinx, MkDocs and others put behind a heading: `¶`, `#`, a character of an icon font. */
const PERMALINK = /^(?:[\s¶#§⚓\u200b\u2060\ue000-\uf8ff]|🔗|\u200d|\ufe0e|\ufe0f)*$/u

/** Elements whose text is formatted when it is complete. */
const FRAMES: ReadonlySet<string> = new Set('blockquote h1 h2 h3 h4 h5 h6 li pre table td th'.split(' '))

/** Elements that begin and end a line. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside caption dd details dialog div dl dt fieldset figcaption figure footer form header hr ' +
    'legend main nav ol option p section summary ul'
  ).split(' '),
)

/** The text inside an element: finished blocks, and the current line. */
class Frame {
  readonly name: string
  /** Of a table. */
  readonly rows: SpannedCell[][] = []
  /** Of a cell. */
  readonly span: Omit<SpannedCell, 'text'>
  /** Whether a table is used for layout only. */
  isLayout = false
  #text = ''
  #line = ''
  // kept apart: `endsWith` on the line itself would copy it each time
  #endsInSpace = false
  #tight = false

  constructor(name: string, { colspan, rowspan }: Record<string, string> = {}) {
    this.name = name
    this.span = { columns: spanOf(colspan, 'columns'), rows: spanOf(rowspan, 'rows') }
  }

  write(text: string): void {
    this.#line += this.#endsInSpace && text.startsWith(' ') ? text.slice(1) : text
    this.#endsInSpace = text === '' ? this.#endsInSpace : text.endsWith(' ')
  }

  endLine(): void {
    const line = this.name === 'pre' ? this.#line : this.#line.replaceAll(/ ?\n ?/g, '\n').trim()
    this.#line = ''
    this.add(line)
  }

  /** Adds a block, with an empty line between it and the last one, unless both are `tight`: items of a list. */
  add(block: string, tight = false): void {
    if (block === '') return
    const close = (tight && this.#tight) || this.name === 'li'
    this.#text += (this.#text === '' ? '' : close ? '\n' : '\n\n') + block
    this.#tight = tight
  }

  text(): string {
    this.endLine()
    return this.#text
  }
}
