/** Runs in the page, before a walk by the key Tab: an earlier walk of the page is forgotten, and this one begins where that began. */
export function beginWalk(): void {
  for (const one of document.querySelectorAll('[data-walked]')) one.removeAttribute('data-walked')
  const { body } = document
  const first = document.querySelector<HTMLElement>('[data-walk-begins]')
  if (first === null) {
    document.activeElement?.setAttribute('data-walk-begins', '')
    return
  }
  if (first !== body) {
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
