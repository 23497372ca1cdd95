import type { Page } from 'playwright-core'
import { inPage } from './in-page.ts'

const beginWalk = await inPage<() => void>('begin-walk.ts', 'beginWalk')
const stopOf = await inPage<() => string>('stop-of.ts', 'stopOf')

/** More stops than any screen has before its focus is at the beginning again, or beyond a long list. */
const LIMIT = 60
/** How many keys are pressed before the page is asked what came of them. */
const AT_ONCE = 10

const TAB = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }

/**
 * Presses Tab until the focus leaves the page or is where it was; a second walk begins where the first one did. Returns what is
 * wrong: an element that has the focus and shows nothing of it, is not to be seen or has no name; and `nothing can be focused`.
 */
export async function focusFaults(tab: Page): Promise<string[]> {
  const session = await tab.context().newCDPSession(tab)
  await tab.evaluate(beginWalk)
  // The page looks at each stop when the key is let go, which is after all that the press did.
  await tab.evaluate(`(() => {
    const stopOf = ${stopOf}
    window.stopsOfWalk = []
    window.lookAtStop = ({ key }) => key === 'Tab' && window.stopsOfWalk.push(stopOf())
    window.addEventListener('keyup', window.lookAtStop, true)
  })()`)
  const stops: string[] = []
  while (stops.length < LIMIT && !stops.includes('end')) {
    await Promise.all(
      Array.from({ length: AT_ONCE }).flatMap(() => [
        session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...TAB }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...TAB }),
      ]),
    )
    const seen = await tab.evaluate<string[]>('window.stopsOfWalk.splice(0)')
    // Within a frame the keys are those of its page.
    stops.push(...(seen.length > 0 ? seen : [await tab.evaluate(stopOf)]))
  }
  // The marks would make what was looked at look changed.
  await tab.evaluate(`(() => {
    window.removeEventListener('keyup', window.lookAtStop, true)
    for (const one of document.querySelectorAll('[data-walked]')) one.removeAttribute('data-walked')
  })()`)
  await session.detach()
  const end = stops.indexOf('end')
  const walked = stops.slice(0, Math.min(end < 0 ? LIMIT : end, LIMIT))
  return walked.length === 0 ? ['nothing can be focused'] : walked.filter((stop) => stop !== '')
}
