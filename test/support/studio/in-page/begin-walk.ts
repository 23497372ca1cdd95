/** Runs in the page, before a walk by the key Tab: an earlier walk of the page is forgotten, and this one begins where that began. */
export function beginWalk(): void {
  for (const one of document.querySelectorAll('[data-walked]')) one.removeAttribute('data-walked')
  const { body } = document
  const first = document.querySelector<HTMLElement>('[data-walk-begins]')
  if (first === null) {
    const active = document.activeElement
    // A screen that was opened by a link gives the focus to its heading: what is above it is walked, too.
    const begin = active?.matches('h1, h2') ? body : active
    begin?.setAttribute('data-walk-begins', '')
    if (begin === active) return
  } else if (first !== body) {
    first.focus()
    return
  }
  // Where nothing had the focus, a walk begins at the top: the place of an element that had it last and is gone.
  const top = document.createElement('span')
  top.tabIndex = -1
  body.prepend(top)
  top.focus()
  top.remove()
}
