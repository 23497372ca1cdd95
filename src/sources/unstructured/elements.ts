import { isWhiteSpace } from '../../text/white-space.ts'

/** A part of a document and its type, by the element types of Unstructured. */
export type TextElement = {
  category: 'Title' | 'NarrativeText' | 'ListItem' | 'Table' | 'CodeSnippet' | 'UncategorizedText'
  text: string
}

// The text after a mark is trimmed without a pattern, so that the time stays linear.
const HEADING_MARK = /^ {0,3}#{1,6}(?=\s)/
const ITEM_MARK = /^(?:[-*+•]|\d{1,3}[.)])(?=\s)/
const TABLE_ROW = /^\s*\|/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** An element that grows beyond this many characters is ended: a log of a gigabyte may have no empty line. */
const LONGEST = 500_000

/** Finds the elements of one document in markdown, whose text may arrive in parts. */
export class ElementReader {
  #category: TextElement['category'] = 'UncategorizedText'
  #lines: string[] = []
  #length = 0
  #fence: string | undefined
  #unfinished = ''

  /** Adds a part of the text. Returns the elements that are complete. */
  push(part: string): TextElement[] {
    const lines = (this.#unfinished + part).split('\n')
    this.#unfinished = lines.length === 1 && lines[0]!.length > LONGEST ? '' : lines.pop()!
    return lines.flatMap((line) => this.#take(line))
  }

  /** Ends the document. Returns the remaining elements. */
  end(): TextElement[] {
    return [...this.#take(this.#unfinished), ...this.#close()]
  }

  #take(line: string): TextElement[] {
    if (this.#fence !== undefined) return this.#takeCode(line, this.#fence)
    if (line.trim() === '') return this.#close()
    this.#fence = FENCE.exec(line)?.[1]
    if (this.#fence) return this.#begin('CodeSnippet')
    const heading = headingText(line)
    if (heading !== undefined) return [...this.#begin('Title', heading), ...this.#close()]
    const item = itemText(line)
    if (item !== undefined) return this.#begin('ListItem', item)
    if (TABLE_ROW.test(line)) return this.#join('Table', line)
    // An indented line continues the item above it.
    if (this.#category === 'ListItem' && this.#lines.length > 0 && /^\s/.test(line))
      return this.#join('ListItem', line.trim())
    return this.#join('NarrativeText', line)
  }

  #takeCode(line: string, fence: string): TextElement[] {
    if (!line.trimStart().startsWith(fence)) return this.#join('CodeSnippet', line)
    this.#fence = undefined
    return this.#close()
  }

  /** Adds a line to the current element, if that has the same category and is not too long. */
  #join(category: TextElement['category'], line: string): TextElement[] {
    const continues = this.#category === category && this.#lines.length > 0 && this.#length < LONGEST
    if (!continues) return this.#begin(category, line)
    this.#lines.push(line)
    this.#length += line.length
    return []
  }

  #begin(category: TextElement['category'], ...lines: string[]): TextElement[] {
    const before = this.#close()
    this.#category = category
    this.#lines = lines
    this.#length = lines[0]?.length ?? 0
    return before
  }

  #close(): TextElement[] {
    const text = this.#lines.join('\n').trim()
    this.#lines = []
    if (text === '') return []
    return [{ category: this.#category === 'NarrativeText' ? prose(text) : this.#category, text }]
  }
}

/** The text of an ATX heading, without the marks around it; undefined for any other line. */
function headingText(line: string): string | undefined {
  const mark = HEADING_MARK.exec(line)
  if (!mark) return undefined
  const text = line.slice(mark[0].length).trim()
  let end = text.length
  while (end > 0 && text[end - 1] === '#') end--
  const isClosed = end > 0 && end < text.length && isWhiteSpace(text.charCodeAt(end - 1))
  return isClosed ? text.slice(0, end).trimEnd() : text
}

/** The text of a list item, without its mark; undefined for any other line. */
function itemText(line: string): string | undefined {
  const trimmed = line.trimStart()
  const mark = ITEM_MARK.exec(trimmed)
  return mark ? trimmed.slice(mark[0].length).trimStart() : undefined
}

/** NarrativeText for a text that ends like a sentence or has more than five words. */
const prose = (text: string): TextElement['category'] =>
  /[.!?…。！？]["'”’)\]]?$/.test(text) || text.split(/\s+/, 6).length > 5
    ? 'NarrativeText'
    : 'UncategorizedText'
