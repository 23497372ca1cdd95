import type { Metadata } from '../../contract/document.ts'
import { CellStory } from '../cell-story.ts'
import type { Extraction } from '../extraction.ts'
import { CAPTURED, CHARACTERS, READ_IF_STARRED, SKIPPED, STORIES, SYMBOLS } from './rtf-destinations.ts'
import { RtfFonts, rtfUnicode } from './rtf-fonts.ts'
import { firstGroup, formatGroup, PLAIN_PARAGRAPH, type RtfGroup } from './rtf-group.ts'
import type { RtfListener } from './rtf-tokens.ts'

/** A text of its own: the body, a note, a header, a text box. */
type Story = { cells: CellStory; text: string; marker: string; ends: number; isEndnote: boolean }

type Style = { name: string; outline: number | undefined }

/** Interprets the tokens of a rich text (Rich Text Format specification 1.9.1). */
export class RtfReader implements RtfListener {
  readonly notes = { foot: [] as string[], end: [] as string[], comments: [] as string[] }
  readonly margins = { header: new Set<string>(), footer: new Set<string>() }
  readonly metadata: Metadata = {}
  /** Whether the file begins as rich text does. */
  isRtf = false
  readonly #source: Extraction
  readonly #mostGroups: number
  readonly #groups: RtfGroup[] = []
  readonly #stories: Story[]
  readonly #fonts = new RtfFonts()
  readonly #styles = new Map<number, Style>()
  #group = firstGroup()
  /** Bytes that are not decoded yet, all of one code page. */
  #bytes: number[] = []
  #unread = 0
  #isStarred = false
  #skipsNextGroup = false
  /** The text of a short destination, and of the style that is being defined. */
  #captured = ''
  #author = ''
  #time: Record<string, number> = {}

  constructor(source: Extraction, mostGroups: number) {
    this.#source = source
    this.#mostGroups = mostGroups
    this.#stories = [this.#newStory()]
  }

  /** Whether all groups have ended. */
  get isComplete(): boolean {
    return this.#groups.length === 0
  }

  /** The blocks of the body, after the last token. */
  body(): string[] {
    while (this.#groups.length > 0) this.close()
    this.#endParagraph()
    return this.#stories[0]!.cells.end()
  }

  open(): void {
    this.#flush()
    this.#unread = 0
    if (this.#groups.length >= this.#mostGroups) this.#source.overLimit('its groups are nested too deeply')
    this.#groups.push(this.#group)
    this.#group = { ...this.#group, isSkipped: this.#group.isSkipped || this.#skipsNextGroup }
    this.#skipsNextGroup = false
    this.#isStarred = false
  }

  close(): void {
    this.#flush()
    this.#unread = 0
    const ended = this.#group
    const around = this.#groups.pop()
    if (!around) return
    if (!ended.isSkipped && ended.destination !== around.destination) this.#endDestination(ended.destination)
    this.#group = around
    if (this.#stories.length > 1 && this.#stories.at(-1)!.ends > this.#groups.length) this.#endStory(ended)
  }

  text(bytes: Uint8Array): void {
    this.#isStarred = false
    if (this.#group.isSkipped) return
    for (const byte of bytes) {
      if (this.#unread > 0) this.#unread--
      else this.#bytes.push(byte)
    }
  }

  symbol(character: string): void {
    if (character === '*') {
      this.#isStarred = true
      return
    }
    if (this.#group.isSkipped || this.#skipsFallback()) return
    const written = SYMBOLS[character]
    if (written !== undefined) this.#write(written)
  }

  control(word: string, value: number | undefined): void {
    const isStarred = this.#isStarred
    this.#isStarred = false
    const group = this.#group
    if (group.isSkipped) return
    if (word === 'u') {
      if (this.#skipsFallback()) return
      this.#write(rtfUnicode(value ?? 0))
      this.#unread = group.fallback
      return
    }
    if (this.#unread > 0 && this.#skipsFallback()) return
    if (isStarred && !READ_IF_STARRED.has(word)) group.isSkipped = true
    else if (SKIPPED.has(word)) group.isSkipped = true
    else if (word === 'pict') {
      this.#source.drop('picture')
      group.isSkipped = true
    } else if (STORIES.has(word)) this.#beginStory(word)
    else if (CAPTURED.has(word)) {
      this.#flush()
      group.destination = word
      this.#captured = ''
    } else if (!this.#destinationWord(word, value)) this.#formatting(word, value)
  }

  /** Control words that say what a group is, and those inside such groups. */
  #destinationWord(word: string, value = 0): boolean {
    const group = this.#group
    switch (word) {
      case 'rtf':
        this.isRtf ||= this.#groups.length === 1
        return true
      case 'fonttbl':
      case 'stylesheet':
      case 'info':
      case 'creatim':
      case 'revtim':
        group.destination = word
        this.#time = {}
        return true
      case 'upr':
        this.#skipsNextGroup = true
        return true
      case 'ftnalt':
        this.#stories.at(-1)!.isEndnote = true
        return true
      case 'yr':
      case 'mo':
      case 'dy':
      case 'hr':
      case 'min':
        this.#time[word] = value
        return true
    }
    if (group.destination !== 'fonttbl') return false
    // the names of fonts are not read
    this.#bytes.length = 0
    formatGroup(group, word, value)
    this.#fonts.tableWord(group.font, word, value)
    return true
  }

  #formatting(word: string, value: number | undefined): void {
    const group = this.#group
    const character = CHARACTERS[word]
    if (character !== undefined) this.#write(character)
    else if (word === 'par' || word === 'sect') this.#endParagraph()
    else if (word === 'cell') this.#endCell(1)
    else if (word === 'nestcell') this.#endCell(Math.max(2, group.depth))
    else if (word === 'row') this.#story.cells.endRow(1)
    else if (word === 'nestrow') this.#story.cells.endRow(Math.max(2, this.#story.cells.depth))
    else {
      // what was written before is of another font
      this.#flush()
      this.#fonts.documentWord(word, value)
      formatGroup(group, word, value)
      if (word === 'plain' || word === 'deff') group.font = this.#fonts.standard
      if (word === 'outlinelevel' && group.destination === 'stylesheet')
        this.#styleOf(group).outline = group.outline
    }
  }

  get #story(): Story {
    return this.#stories.at(-1)!
  }

  #newStory(): Story {
    return {
      cells: new CellStory(this.#source),
      text: '',
      marker: '',
      ends: this.#groups?.length ?? 0,
      isEndnote: false,
    }
  }

  #beginStory(destination: string): void {
    this.#flush()
    Object.assign(this.#group, { ...PLAIN_PARAGRAPH, destination })
    this.#stories.push(this.#newStory())
  }

  #endStory({ destination }: RtfGroup): void {
    this.#endParagraph()
    const story = this.#stories.pop()!
    const blocks = story.cells.end()
    const text = blocks.join('\n')
    const { foot, end, comments } = this.notes
    if (destination === 'footnote') {
      const [notes, prefix] = story.isEndnote ? [end, 'e'] : [foot, '']
      notes.push(`[^${prefix}${notes.length + 1}]: ${text}`)
      this.#write(`[^${prefix}${notes.length}]`)
    } else if (destination === 'annotation') {
      const author = this.#author.trim()
      comments.push(`[^c${comments.length + 1}]: ${author === '' ? '' : `${author}: `}${text}`)
      this.#write(`[^c${comments.length}]`)
    } else if (/^(header|footer)/.test(destination)) {
      const kind = destination.startsWith('header') ? 'header' : 'footer'
      const shown = blocks.join('\n\n')
      // without a letter it is a page number
      if (/\p{L}/u.test(shown) && !this.margins.header.has(shown)) this.margins[kind].add(shown)
    } else for (const block of blocks) this.#story.cells.put(block, this.#depth)
  }

  #endDestination(destination: string): void {
    const captured = this.#captured.trim()
    switch (destination) {
      case 'listtext':
      case 'pntext':
        this.#story.marker = /[\p{L}\p{N}]/u.test(captured) ? captured.slice(0, MAX_MARKER) : '-'
        break
      case 'atnauthor':
        this.#author = captured
        break
      case 'title':
      case 'author':
        if (captured !== '') this.metadata[destination] = captured
        break
      case 'creatim':
        this.#keepTime('created')
        break
      case 'revtim':
        this.#keepTime('modified')
    }
  }

  #keepTime(key: string): void {
    const { yr = 0, mo = 1, dy = 1, hr = 0, min = 0 } = this.#time
    const two = (number: number) => String(number).padStart(2, '0')
    if (yr > 0) this.metadata[key] = `${yr}-${two(mo)}-${two(dy)}T${two(hr)}:${two(min)}`
  }

  get #depth(): number {
    return this.#group.inTable ? Math.max(1, this.#group.depth) : this.#group.depth
  }

  #endParagraph(): void {
    this.#flush()
    const { text, marker, cells } = this.#story
    const { level, outline, style } = this.#group
    this.#story.text = ''
    this.#story.marker = ''
    const heading =
      outline === undefined ? headingOf(this.#styles.get(style)) : headingOf({ name: '', outline })
    cells.paragraph(text, { heading, marker, level, depth: this.#depth })
  }

  #endCell(depth: number): void {
    this.#flush()
    Object.assign(this.#group, { inTable: true, depth: depth === 1 ? Math.min(1, this.#group.depth) : depth })
    this.#endParagraph()
    this.#story.cells.endCell(depth)
  }

  #styleOf({ style }: RtfGroup): Style {
    const known = this.#styles.get(style) ?? { name: '', outline: undefined }
    this.#styles.set(style, known)
    return known
  }

  /** Whether what comes now only stands for a character of `\u`. */
  #skipsFallback(): boolean {
    if (this.#unread === 0) return false
    this.#unread--
    return true
  }

  #flush(): void {
    if (this.#bytes.length === 0) return
    const bytes = Uint8Array.from(this.#bytes)
    this.#bytes = []
    this.#add(this.#fonts.decode(bytes, this.#group.font))
  }

  #write(text: string): void {
    this.#flush()
    this.#add(text)
  }

  #add(text: string): void {
    const { destination, isHidden } = this.#group
    if (CAPTURED.has(destination)) this.#captured += this.#captured.length < MAX_CAPTURED ? text : ''
    else if (destination === 'stylesheet') {
      const style = this.#styleOf(this.#group)
      if (style.name.length < MAX_CAPTURED) style.name += text
    } else if (!isHidden && !NO_TEXT.has(destination)) {
      this.#source.countText(text.length)
      this.#story.text += text
    }
  }
}

const NO_TEXT: ReadonlySet<string> = new Set(['fonttbl', 'info', 'creatim', 'revtim'])

/** In characters. Only hostile files have longer ones. */
const MAX_MARKER = 100
const MAX_CAPTURED = 1000

/** Styles of headings keep their English names in most languages; others have an outline level. */
function headingOf(style: Style | undefined): number | undefined {
  if (!style) return undefined
  const name = style.name.toLowerCase().replace(/;$/, '')
  const level = /^heading ?([1-9])$/.exec(name)?.[1]
  if (level) return Number(level)
  if (name === 'title') return 1
  const { outline } = style
  return outline !== undefined && outline >= 0 && outline < 9 ? outline + 1 : undefined
}
