import type { HtmlListener } from './html-parse.ts'
import { DROPPED_ELEMENTS } from './html-text.ts'

/**
 * Passes only the visible parts of a page to another listener: nothing inside `display: none`, the attribute
 * `hidden`, or the header of inline XBRL (`ix:header`, `ix:hidden`). Style sheets are not evaluated. `html` and
 * `body` are never hidden: some sites hide them until a script has run.
 */
export class VisibleHtml implements HtmlListener {
  readonly #listener: HtmlListener
  #depth = 0
  #dropped = 0
  #isCounted = false
  /** How many hidden elements with text were left out; nested ones do not count. */
  leftOut = 0

  constructor(listener: HtmlListener) {
    this.#listener = listener
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.#depth === 0 && !isHidden(name, attributes)) {
      this.#listener.open(name, attributes)
      return
    }
    if (this.#depth++ === 0) this.#isCounted = false
    if (DROPPED_ELEMENTS.has(name)) this.#dropped++
  }

  text(text: string): void {
    if (this.#depth === 0) this.#listener.text(text)
    else if (!this.#isCounted && this.#dropped === 0 && text.trim() !== '') {
      this.#isCounted = true
      this.leftOut++
    }
  }

  close(name: string): void {
    if (this.#depth === 0) this.#listener.close(name)
    else {
      this.#depth--
      if (DROPPED_ELEMENTS.has(name)) this.#dropped--
    }
  }
}

function isHidden(name: string, { hidden, style }: Record<string, string>): boolean {
  if (name === 'html' || name === 'body') return false
  if (name === 'ix:header' || name === 'ix:hidden') return true
  // `until-found` hides text from view, but not from search.
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true
  return style !== undefined && /(?:^|;)\s*display\s*:\s*none\s*(?:!\s*important\s*)?(?:;|$)/i.test(style)
}
