/**
 * Runs in the page. Opens another screen as a link of the studio does, from an empty one, so that nothing of the last screen is left.
 * The page is not loaded anew: compiling it, and what looks at it, takes longer than the look.
 *
 * @returns false where the screen cannot be left so: it has unsaved changes, or something stays open over it
 */
export async function followAddress(address: string): Promise<boolean> {
  for (const mark of ['data-walked', 'data-walk-begins'])
    for (const one of document.querySelectorAll(`[${mark}]`)) one.removeAttribute(mark)
  if (document.querySelector('[data-dirty="true"]')) return false
  const isEmpty = () => document.querySelector('main h1')?.textContent === 'There is nothing at this address'
  history.pushState({}, '', '/nothing')
  await frames(isEmpty)
  if (!isEmpty() || document.querySelector('[role="dialog"], [role="menu"]')) return false
  history.pushState({}, '', address)
  await frames(() => !isEmpty())
  // A frame after the screen its heading has the focus.
  let more = 2
  await frames(() => more-- === 0)
  return true

  /** Waits until something holds in a frame; at most a few seconds. */
  function frames(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      let left = 600
      const look = () => {
        if (holds() || left-- === 0) resolve()
        else requestAnimationFrame(look)
      }
      look()
    })
  }
}
