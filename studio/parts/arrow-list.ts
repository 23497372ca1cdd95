import type { KeyboardEvent } from 'react'

/**
 * Moves the focus with the arrow keys, Home and End among the elements with `data-item` within an element. The box that
 * filters a list is one of them: it keeps Home, End and the arrows to the sides.
 */
export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-item]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  const inBox = items[at]!.tagName === 'INPUT'
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, ...(inBox ? {} : { Home: 0, End: items.length - 1 }) }[
    event.key
  ]
  if (next === undefined) return
  event.preventDefault()
  items[Math.min(Math.max(0, next), items.length - 1)]?.focus()
}
