/** A stretch of a document and what it is, in the words of Unstructured's own element types. */
export type Element = {
  category: 'Title' | 'NarrativeText' | 'ListItem' | 'Table' | 'CodeSnippet' | 'UncategorizedText'
  text: string
}

const HEADING = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/
const TABLE_ROW = /^\s*\|/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Tells the elements of one document, whose text is in the manner of markdown and may arrive in parts. */
export class ElementReader {
  #category: Element['category'] = 'UncategorizedText'
  #lines: string[] = []
  #fence: string | undefined
  #unfinished = ''

  push(part: string): Element[] {
    const lines = (this.#unfinished + part).split('\n')
    this.#unfinished = lines.pop()!
    return lines.flatMap((line) => this.#take(line))
  }

  end(): Element[] {
    return [...this.#take(this.#unfinished), ...this.#close()]
  }

  #take(line: string): Element[] {
    if (this.#fence !== undefined) return this.#takeCode(line)
    if (line.trim() === '') return this.#close()
    const fence = FENCE.exec(line)?.[1]
    if (fence) {
      const before = this.#open('CodeSnippet')
      this.#fence = fence
      return before
    }
    const heading = HEADING.exec(line)?.[1]
    if (heading !== undefined) return [...this.#open('Title', heading), ...this.#close()]
    const item = LIST_ITEM.exec(line)?.[1]
    if (item !== undefined) return this.#open('ListItem', item)
    if (TABLE_ROW.test(line)) return this.#join('Table', line)
    // An indented line goes on with the item above it.
    if (this.#category === 'ListItem' && this.#lines.length > 0 && /^\s/.test(line))
      return this.#join('ListItem', line.trim())
    return this.#join('NarrativeText', line)
  }

  #takeCode(line: string): Element[] {
    if (!line.trimStart().startsWith(this.#fence!)) {
      this.#lines.push(line)
      return []
    }
    this.#fence = undefined
    return this.#close()
  }

  #join(category: Element['category'], line: string): Element[] {
    if (this.#category !== category || this.#lines.length === 0) return this.#open(category, line)
    this.#lines.push(line)
    return []
  }

  #open(category: Element['category'], ...lines: string[]): Element[] {
    const before = this.#close()
    this.#category = category
    this.#lines = lines
    return before
  }

  #close(): Element[] {
    const text = this.#lines.join('\n').trim()
    this.#lines = []
    this.#fence = undefined
    if (text === '') return []
    return [{ category: this.#category === 'NarrativeText' ? prose(text) : this.#category, text }]
  }
}

/** A sentence, or at least what is as long as one. */
const prose = (text: string): Element['category'] =>
  /[.!?…。！？]["'”’)\]]?$/.test(text) || text.split(/\s+/, 6).length > 5
    ? 'NarrativeText'
    : 'UncategorizedText'
