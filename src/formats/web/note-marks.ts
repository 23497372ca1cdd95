import type { HtmlListener } from './html-parse.ts'

/**
 * Passes a page to another listener with the marks of notes in brackets: `word[1]`, where the page shows a raised 1 that links to
 * the note. Without them the mark would become a part of the word. Other raised text stays as it is: `10 m2`.
 */
export class NoteMarks implements HtmlListener {
  readonly #listener: HtmlListener
  /** What was held back since an element began that may be a mark. */
  #held: Held | undefined

  constructor(listener: HtmlListener) {
    this.#listener = listener
  }

  open(name: string, attributes: Record<string, string>): void {
    const isLink = name === 'a' && attributes.href?.includes('#') === true
    const isNote = NOTE_ROLES.test(`${attributes['epub:type'] ?? ''} ${attributes.role ?? ''}`)
    if (!this.#held && (name === 'sup' || isLink))
      this.#held = { events: [], depth: 0, text: '', isLink: false, isRaised: false }
    const held = this.#held
    if (held && INLINE.has(name) && held.events.length < MOST_EVENTS) {
      held.depth++
      held.isLink ||= isLink
      held.isRaised ||= name === 'sup' || (isLink && isNote)
      held.events.push(() => this.#listener.open(name, attributes))
      return
    }
    this.#release()
    this.#listener.open(name, attributes)
  }

  text(text: string): void {
    const held = this.#held
    if (!held) {
      this.#listener.text(text)
      return
    }
    held.text += text
    held.events.push(() => this.#listener.text(text))
    if (held.text.length > LONGEST || held.events.length > MOST_EVENTS) this.#release()
  }

  close(name: string): void {
    const held = this.#held
    if (!held) {
      this.#listener.close(name)
      return
    }
    held.events.push(() => this.#listener.close(name))
    if (--held.depth > 0) return
    const mark = held.isLink && held.isRaised ? MARK.exec(held.text.trim())?.[1] : undefined
    if (mark === undefined) this.#release()
    else {
      this.#held = undefined
      this.#listener.text(`[${mark}]`)
    }
  }

  /** It is no mark of a note. */
  #release(): void {
    const events = this.#held?.events ?? []
    this.#held = undefined
    for (const event of events) event()
  }
}

type Held = {
  events: (() => void)[]
  /** The elements that are open. */
  depth: number
  text: string
  isLink: boolean
  isRaised: boolean
}

const NOTE_ROLES = /\bnoteref\b|\bdoc-noteref\b/

/** Elements that may be within a mark. */
const INLINE: ReadonlySet<string> = new Set('a b em font i small span strong sup u'.split(' '))

/** A number, a letter or a sign, or some of them. */
const MARK =
  /^[[(]?((?:\d{1,4}|[a-z]|[ivxlc]{2,6}|[*†‡]{1,4})(?:\s?[,–-]\s?(?:\d{1,4}|[a-z]|[*†‡]{1,4})){0,9})[\])]?$/i

const LONGEST = 60
const MOST_EVENTS = 60
