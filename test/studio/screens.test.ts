import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, openBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the screens of the studio have no serious accessibility violations', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await openBrowser(executable)
  after(() => browser.close())
  const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

  /** Each goes on from the screen before. */
  const screens: [name: string, go: (tab: Page) => Promise<unknown>][] = [
    ['flows', (tab) => tab.getByRole('link', { name: /Quickstart/ }).waitFor()],
    [
      'a search without a hit',
      async (tab) => {
        await tab.getByLabel('Search flows').fill('no such flow')
        await tab.getByText('No flow has').waitFor()
        await tab.getByLabel('Search flows').fill('')
      },
    ],
    ['the menu of a flow', (tab) => tab.getByRole('button', { name: 'Actions for Quickstart' }).click()],
    [
      'deleting a flow',
      async (tab) => {
        await tab.getByRole('menuitem', { name: 'Delete' }).click()
        await tab.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor()
      },
    ],
    [
      'importing a flow',
      async (tab) => {
        await tab.keyboard.press('Escape')
        await tab.getByRole('button', { name: 'Import' }).click()
        await tab.getByRole('dialog').getByText('Choose a file').waitFor()
      },
    ],
    [
      'a new flow',
      async (tab) => {
        await tab.keyboard.press('Escape')
        await tab.getByRole('button', { name: 'New flow' }).click()
        await tab.getByRole('dialog').getByText('Empty chat flow').waitFor()
      },
    ],
    [
      'an empty canvas',
      async (tab) => {
        await tab.getByRole('button', { name: 'Create' }).click()
        await tab.getByRole('heading', { name: 'An empty canvas' }).waitFor()
      },
    ],
    [
      'a canvas',
      async (tab) => {
        await tab.goto(`${platform.url}/flows/quickstart`)
        await tab.locator('.react-flow__node').first().waitFor()
      },
    ],
    [
      'the inputs of a node',
      async (tab) => {
        await tab.locator('.react-flow__node[aria-label="Built-in Vector Store"]').click()
        await tab.getByText('Additional parameters').click()
      },
    ],
    [
      'the upsert dialog',
      async (tab) => {
        await tab.getByRole('button', { name: /^Upsert/ }).click()
        await tab.getByRole('dialog').getByText('fileLoader_0').click()
      },
    ],
    [
      'the upsert record',
      async (tab) => {
        const dialog = tab.getByRole('dialog')
        await dialog.locator('input[type=file]').setInputFiles([
          { name: 'ferry.txt', mimeType: 'text/plain', buffer: Buffer.from('The ferry leaves at noon.') },
          { name: 'damaged.pdf', mimeType: 'application/pdf', buffer: Buffer.from('this is no PDF') },
        ])
        await dialog.getByRole('button', { name: 'Upsert 2 files' }).click()
        await dialog.getByText('1 file could not be loaded').waitFor()
      },
    ],
    [
      'an address without a flow',
      async (tab) => {
        await tab.goto(`${platform.url}/flows/no-such-flow`)
        await tab.getByText('no-such-flow').waitFor()
      },
    ],
  ]

  for (const colorScheme of ['light', 'dark'] as const)
    test(`the screens of the studio have no serious accessibility violations and fit into the window: ${colorScheme}`, async () => {
      const { tab, complaints, strangers, context } = await openStudio(browser, platform, { colorScheme })
      for (const [name, go] of screens) {
        await go(tab)
        assert.deepEqual(await violations(tab), [], `${name}, ${colorScheme}`)
        const overflow = await tab.evaluate(
          'document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight',
        )
        assert.equal(overflow, false, `${name} is larger than the window`)
      }
      assert.deepEqual(
        complaints.filter((line) => !/status of 404/.test(line)),
        [],
      )
      assert.deepEqual(strangers, [])
      await context.close()
    })

  test('the sign-in screen has no serious accessibility violations, and says why a key is refused', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const tab = await context.newPage()
    await tab.goto(`${platform.url}/flows/quickstart#sign-in=a-used-code`)
    await tab.getByRole('alert').waitFor()
    assert.deepEqual(await violations(tab), [])
    await tab.getByLabel('Management key').fill('wrong')
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('alert').getByText(/key/i).waitFor()
    await context.close()
  })

  /** Serious and critical violations, by the rules of axe-core. */
  async function violations(tab: Page): Promise<string[]> {
    // Text that is fading in has less contrast than it will have.
    await tab.waitForFunction('document.getAnimations().every(({ playState }) => playState !== "running")')
    const session = await tab.context().newCDPSession(tab)
    // Through the debugger, because the policy of the page refuses a script that is put into it.
    await session.send('Runtime.evaluate', { expression: axe })
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200)))))`,
      awaitPromise: true,
    })
    await session.detach()
    return JSON.parse(result.value as string) as string[]
  }
}
