import type { Page } from 'playwright-core'

/** What a screen says of something that is empty. It must not say so while it does not know. */
export const NOTHING = /\b(0 \w+s\b|No \w+|Nothing was|There is no)/

/** A screen in one state. The test of all screens opens it once, from another screen, and looks at it in each theme and window size. */
export type Screen = {
  name: string
  state: 'empty' | 'full' | 'error'
  path: string
  /** Resolves when the screen shows what `name` and `state` say; clicks its way there if it is a dialog or a menu. */
  shown(tab: Page): Promise<unknown>
  /** Calls that the server refuses with status 500, as it does on an error of its own. */
  failing?: RegExp
  /** What it shows depends on the size of the window in which it is opened: then it is opened in each. */
  bySize?: true
  /** It is loaded by its address, because the studio remembers what was done before. */
  loaded?: true
}
