import type { Page } from 'playwright-core'
import { inPage } from './in-page.ts'

const stopOf = await inPage<() => string>('stop-of.ts', 'stopOf')

/** More stops than any screen has before its focus is at the beginning again, or beyond a long list. */
const LIMIT = 60

/**
 * Presses Tab until the focus leaves the page or is where it was. Returns what is wrong: an element that has the focus
 * and shows nothing of it, is not to be seen or has no name; and `nothing can be focused`.
 */
export async function focusFaults(tab: Page): Promise<string[]> {
  const found: string[] = []
  let stops = 0
  await tab.evaluate(
    '(document.querySelectorAll("[data-walked]").forEach((one) => one.removeAttribute("data-walked")))',
  )
  for (; stops < LIMIT; stops++) {
    await tab.keyboard.press('Tab')
    const at = await tab.evaluate(stopOf)
    if (at === 'end') break
    if (at !== '') found.push(at)
  }
  return stops === 0 ? ['nothing can be focused'] : found
}
