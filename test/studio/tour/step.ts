import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** How a person goes through the studio: with the mouse, or with the keyboard alone. */
export type Hand = {
  tab: Page
  /** Whether it is the keyboard. */
  keys: boolean
  /** Presses a button or follows a link: by a click, or with Tab until it has the focus and Enter. */
  press(target: Locator): Promise<void>
  /** Writes into a field, in place of what is there. */
  write(target: Locator, text: string): Promise<void>
  /** Opens the inputs of a node of the canvas. */
  open(node: string): Promise<void>
  /** Chooses an option of a list by its text. */
  choose(list: Locator, option: string | RegExp): Promise<void>
}

/** A stop of the tour. */
export type Step = {
  /** Of its picture. */
  name: string
  /** Where it begins; without it where the step before has ended. */
  path?: string
  /** Goes from there to what the picture shows. */
  go(hand: Hand): Promise<unknown>
  /** What is done after the picture was taken. */
  end?(hand: Hand): Promise<unknown>
}

/** More stops than any screen of the tour has. */
const MOST = 250

/** Presses Tab until something has the focus; after the last stop the first one comes again. */
export async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  const one = target.first()
  await one.waitFor()
  const tab = one.page()
  for (let presses = 0; presses < MOST; presses++) {
    if (await hasFocus(one)) return
    await tab.keyboard.press(key)
  }
  assert.fail(`${target} is not reached with ${key}`)
}

const card = (tab: Page, label: string) => tab.locator(`.react-flow__node[aria-label="${label}"]`)

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement)

export const byMouse = (tab: Page): Hand => ({
  tab,
  keys: false,
  press: (target) => target.click(),
  open: (node) => card(tab, node).click(),
  write: (target, text) => target.fill(text),
  choose: async (list, option) => {
    await list.selectOption((await optionOf(list, option)).value)
  },
})

export const byKeyboard = (tab: Page): Hand => ({
  tab,
  keys: true,
  async press(target) {
    await tabTo(target)
    await tab.keyboard.press('Enter')
  },
  async open(node) {
    // One node is a stop of Tab, the others are reached from it.
    await tabTo(tab.locator('.react-flow__node[tabindex="0"]'))
    await tab.keyboard.press('Home')
    await tabTo(card(tab, node), 'ArrowDown')
    await tab.keyboard.press('Enter')
  },
  async write(target, text) {
    await tabTo(target)
    await tab.keyboard.press('Control+a')
    await tab.keyboard.type(text)
  },
  async choose(list, option) {
    await tabTo(list)
    const { at, present } = await optionOf(list, option)
    const key = at < present ? 'ArrowUp' : 'ArrowDown'
    for (let step = 0; step < Math.abs(at - present); step++) await tab.keyboard.press(key)
  },
})

/** The value and the place of an option, and the place of the chosen one. */
async function optionOf(
  list: Locator,
  text: string | RegExp,
): Promise<{ value: string; at: number; present: number }> {
  const option = list.locator('option', { hasText: text }).first()
  await option.waitFor({ state: 'attached' })
  const value = await option.evaluate((one: { value: string }) => one.value)
  const [at, present] = await Promise.all([
    option.evaluate((one: { index: number }) => one.index),
    list.evaluate((one: { selectedIndex: number }) => one.selectedIndex),
  ])
  return { value, at, present }
}

/** Escape closes something, and the focus is where it was before. */
export async function closeByEscape(hand: Hand, closed: Locator, back: Locator): Promise<void> {
  await hand.tab.keyboard.press('Escape')
  await closed.waitFor({ state: 'detached' })
  await back.and(hand.tab.locator(':focus')).waitFor()
}
