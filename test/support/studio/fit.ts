import type { Page } from 'playwright-core'
import { inPage } from './in-page.ts'

const findMisfits = await inPage<() => string[]>('find-misfits.ts', 'findMisfits')

/**
 * What does not fit: a page that is larger than the window, text that is cut without `…` and a title or name, controls
 * that lie under something else or outside of the window where they cannot be scrolled to.
 */
export const misfits = (tab: Page): Promise<string[]> => tab.evaluate(findMisfits)
