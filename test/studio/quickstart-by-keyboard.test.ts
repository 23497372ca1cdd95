import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { canvasAtRest, focused, openStudio, saved } from '../support/studio.ts'
import { until, untilEqual } from '../support/until.ts'

const executable = chromiumPath()
const SAMPLES = globSync('examples/documents/*')

if (executable === undefined) {
  test('the studio can be used with the keyboard alone', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)

  /** Presses a key until an element has the focus. */
  async function go(tab: Page, target: Locator, key = 'Tab'): Promise<void> {
    await target.first().waitFor()
    for (let presses = 0; presses < 100; presses++) {
      if (await target.first().evaluate((element) => element === element.ownerDocument.activeElement)) return
      await tab.keyboard.press(key)
    }
    assert.fail(`${target} is not reached with ${key}`)
  }

  const card = (tab: Page, label: string) => tab.locator(`.react-flow__node[aria-label="${label}"]`)

  /** Connects the node that has the focus: C, a few words, Enter. */
  async function connectNew(tab: Page, words: string, added: string): Promise<void> {
    await tab.keyboard.press('c')
    await focused(tab.getByLabel('Search connections'))
    await tab.keyboard.type(words)
    await tab.getByRole('dialog').getByRole('button', { name: /New / }).first().waitFor()
    await tab.keyboard.press('Enter')
    await tab.getByRole('dialog').waitFor({ state: 'detached' })
    await card(tab, added).waitFor()
  }

  test('the quickstart is built from an empty canvas, saved, loaded with the samples and asked with the keyboard alone [studio:keyboard]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/flows' })
    // From the beginning: a file chooser that opens before the browser has the listener is lost.
    tab.on('filechooser', (chooser) => void chooser.setFiles(SAMPLES))
    await go(tab, tab.getByRole('button', { name: 'New flow' }))
    await tab.keyboard.press('Enter')
    await go(tab, tab.getByRole('radio', { name: /^Files to search/ }))
    await tab.keyboard.press('ArrowDown')
    await go(tab, tab.getByLabel('Name', { exact: true }))
    await tab.keyboard.type('By keyboard')
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { name: 'An empty canvas' }).waitFor()

    await tab.keyboard.press('/')
    await focused(tab.getByLabel('Search nodes'))
    const palette = tab.getByRole('navigation', { name: 'Nodes' })
    await tab.keyboard.press('ArrowDown')
    await focused(palette.getByRole('button', { expanded: true }).first())
    await tab.keyboard.press('End')
    await focused(palette.getByRole('button', { name: 'Note' }))
    await tab.keyboard.press('Home')
    await focused(tab.getByLabel('Search nodes'))
    await tab.keyboard.type('built-in vector')
    await tab.keyboard.press('Enter')
    const store = card(tab, 'Built-in Vector Store')
    await store.waitFor()
    await go(tab, store)
    await connectNew(tab, 'new file loader', 'File Loader')
    await go(tab, store)
    await connectNew(tab, 'new built-in embeddings', 'Built-in Embeddings')
    await go(tab, store)
    await connectNew(tab, 'new sqlite record', 'SQLite Record Manager')
    await go(tab, store)

    // Along the line to the loader, which gets its splitter.
    await tab.keyboard.press('Home')
    await go(tab, card(tab, 'File Loader'), 'ArrowDown')
    await connectNew(tab, 'new recursive', 'Recursive Character Text Splitter')
    await go(tab, card(tab, 'File Loader'))
    await tab.keyboard.press('ArrowLeft')
    await tab.locator('.react-flow__node[aria-label="Recursive Character Text Splitter"]:focus').waitFor()
    await tab.keyboard.press('ArrowRight')
    await tab.keyboard.press('ArrowRight')
    await tab.locator('.react-flow__node[aria-label="Built-in Vector Store"]:focus').waitFor()

    // A key moves a node, and the announcement says where it is.
    const place = async () => (await store.boundingBox())!
    await canvasAtRest(tab)
    const before = await place()
    await tab.keyboard.press('Shift+ArrowDown')
    await tab
      .getByRole('status')
      .getByText(/Built-in Vector Store is now at -?\d+, -?\d+/)
      .waitFor()
    await until(async () => (await place()).y > before.y, 'the node moved down')

    await tab.keyboard.press('Home')
    await go(tab, card(tab, 'SQLite Record Manager'), 'ArrowDown')
    await tab.keyboard.press('Enter')
    await go(tab, tab.getByText('Additional parameters'))
    await tab.keyboard.press('Enter')
    const cleanup = tab.getByLabel('Cleanup', { exact: true })
    await go(tab, cleanup)
    // One letter: of several, a slow browser takes each as the first.
    await tab.keyboard.press('i')
    await untilEqual(() => cleanup.inputValue(), 'incremental')
    await tab.keyboard.press('Escape')
    await tab.locator('.react-flow__node[aria-label="SQLite Record Manager"]:focus').waitFor()
    await tab.keyboard.press('o')
    await tab.getByText('The server finds no problem').waitFor()
    await tab.keyboard.press('o')
    await tab.keyboard.press('Control+s')
    await saved(tab)

    await go(tab, tab.getByRole('button', { name: /^Upsert/ }), 'Shift+Tab')
    await tab.keyboard.press('Enter')
    const dialog = tab.getByRole('dialog')
    const allow = dialog.getByRole('button', { name: 'Allow files' })
    await go(tab, allow)
    await tab.keyboard.press('Enter')
    // The button that was pressed goes away, and the focus moves to the next step.
    await focused(dialog.getByRole('button', { name: /Choose files/ }))
    await allow.waitFor({ state: 'detached' })
    await tab.keyboard.press('Enter')
    await go(tab, dialog.getByRole('button', { name: `Upsert ${SAMPLES.length} files` }))
    await tab.keyboard.press('Enter')
    await dialog.getByRole('heading', { name: 'Upsert Record' }).waitFor()
    await tab.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    const { body } = await platform.query('by-keyboard', { query: 'What is the code word for a fire?' })
    assert.match(body.docs[0]!.metadata.source as string, /safety-manual/)
    assert.deepEqual(complaints, [])
    await close()
  })
}
