import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { focused, openStudio, saved } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the command palette runs commands', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)

  test('the command palette goes to a flow, runs commands of the canvas and changes the theme, by keyboard alone [studio:palette]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/flows' })
    const palette = tab.getByRole('dialog', { name: 'Commands' })
    const command = async (search: string, label: string) => {
      await tab.keyboard.press('Control+k')
      await focused(palette.getByRole('combobox', { name: 'Search commands' }))
      await tab.keyboard.type(search)
      await palette
        .getByRole('option', { name: label })
        .first()
        .and(tab.locator('[data-highlighted]'))
        .waitFor()
      await tab.keyboard.press('Enter')
      await palette.waitFor({ state: 'detached' })
    }
    await tab.getByRole('row', { name: /Quickstart/ }).waitFor()
    await command('quick', 'Quickstart')
    await tab.locator('.react-flow__node').first().waitFor()
    await tab.waitForURL(/\/flows\/quickstart$/)

    // A command that moves the focus, and one that changes the drawing.
    await command('search nodes', 'Search nodes to add')
    await focused(tab.getByLabel('Search nodes'))
    await tab.keyboard.type('plain text')
    await tab.keyboard.press('Enter')
    await tab.getByText('Unsaved changes').waitFor()
    await command('undo', 'Undo')
    await saved(tab)
    await command('revisions', 'Revisions')
    await tab.getByRole('heading', { name: 'Revision 1' }).waitFor()

    // A document of the open flow, among more than the list shows.
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`page-${at}.txt`, `Page ${at}.`]))
    await platform.upload('quickstart', { ...files, 'zebra.txt': 'Zebras have stripes.' })
    await command('zebra', 'zebra.txt')
    await tab.getByText('Zebras have stripes.').first().waitFor()
    await tab.waitForURL(/\/flows\/quickstart\/documents\/zebra\.txt/)
    await command('revisions', 'Revisions')

    // An input of a node, also from another tab and where the form has it folded.
    await command('chunk overlap', 'Chunk Overlap of Sluice Text Splitter')
    await focused(tab.getByLabel('Chunk Overlap (characters)', { exact: true }))
    await tab.waitForURL(/\/flows\/quickstart\?node=sluiceTextSplitter_0$/)
    await command('minimum score', 'Minimum Score of Built-in Vector Store')
    await focused(tab.getByLabel('Minimum Score', { exact: true }))
    await command('revisions', 'Revisions')

    await command('strong contrast', 'Strong contrast')
    await untilEqual(() => tab.evaluate('document.documentElement.dataset.theme'), 'contrast')
    await tab.reload()
    await tab.getByRole('heading', { name: 'Revision 1' }).waitFor()
    await untilEqual(() => tab.evaluate('document.documentElement.dataset.theme'), 'contrast')

    await tab.keyboard.press('Control+k')
    await focused(palette.getByRole('combobox', { name: 'Search commands' }))
    await tab.keyboard.type('no such command')
    await palette.getByText('Nothing here is called “no such command”').waitFor()
    await tab.keyboard.press('Control+k')
    await palette.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await close()
  })
}
