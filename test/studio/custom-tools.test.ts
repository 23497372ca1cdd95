import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio makes and tries custom tools', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-tools-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  const menu = async (tab: Page, row: string, item: string) => {
    await tab.getByRole('button', { name: `Actions for ${row}`, exact: true }).click()
    await tab.getByRole('menuitem', { name: item, exact: true }).click()
  }
  type Tool = { id: string; name: string; schema: string; func: string; description: string }
  const stored = async () => (await platform.manage<Tool[]>('GET', '/api/v1/tools')).body

  test('a tool is made, tried, changed, named by the flows that use it, and deleted [customtools:studio]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/tools' })
    await tab.getByRole('heading', { name: 'Tools', exact: true }).waitFor()
    await tab.getByRole('heading', { name: 'No tools yet', exact: true }).waitFor()
    const dialog = tab.getByRole('dialog')
    await tab.getByRole('button', { name: 'New tool', exact: true }).first().click()
    await dialog.getByRole('heading', { name: 'New tool', exact: true }).waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('double')
    await dialog.getByLabel('Description', { exact: true }).fill('Doubles a number')
    await dialog.getByRole('button', { name: 'Add input', exact: true }).click()
    await dialog.getByLabel('Name of input 1', { exact: true }).fill('n')
    await dialog.getByLabel('Type of input 1', { exact: true }).selectOption('number')
    await dialog.getByLabel('Description of input 1', { exact: true }).fill('a number')
    await dialog.locator('.cm-content').click()
    await tab.keyboard.type('return $n * 2')
    const run = dialog.getByRole('button', { name: 'Run', exact: true })
    await run.click()
    await dialog.getByLabel('Result', { exact: true }).getByText('2', { exact: true }).waitFor()
    await dialog.getByLabel('Try it with this input', { exact: true }).fill('{"n": "many"}')
    await run.click()
    await dialog.getByText(/does not fit the schema of the tool/).waitFor()
    await dialog.getByLabel('Try it with this input', { exact: true }).fill('{"n": 21}')
    await run.click()
    await dialog.getByLabel('Result', { exact: true }).getByText('42', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Save tool', exact: true }).click()
    await tab.getByRole('cell', { name: 'Doubles a number', exact: true }).waitFor()
    const [tool] = await stored()
    assert.partialDeepStrictEqual(tool, { name: 'double', func: 'return $n * 2' })
    assert.deepEqual(JSON.parse(tool!.schema), [
      { id: 0, property: 'n', type: 'number', description: 'a number', required: true },
    ])

    await menu(tab, 'double', 'Change')
    await dialog.getByRole('heading', { name: 'Change double', exact: true }).waitFor()
    await dialog.locator('.cm-content').click()
    await tab.keyboard.press('ControlOrMeta+A')
    await tab.keyboard.press('Backspace')
    await tab.keyboard.type('const = 2')
    await dialog.getByRole('button', { name: 'Save tool', exact: true }).click()
    await tab.getByText(/It cannot run: the code does not parse at line 1/).waitFor()
    await menu(tab, 'double', 'Change')
    await dialog
      .getByText(/the code does not parse at line 1/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()

    const inputs = { selectedTool: tool!.id }
    await platform.manage('POST', '/api/v1/chatflows', {
      name: 'Numbers',
      flowData: {
        nodes: [{ id: 'c', data: { id: 'c', name: 'customTool', label: 'Doubling', inputs } }],
        edges: [],
      },
    })
    await tab.reload()
    await tab.getByRole('link', { name: 'Numbers', exact: true }).waitFor()
    await menu(tab, 'double', 'Delete')
    await dialog.getByText(/^These flows use it/).waitFor()
    await dialog.getByText('(Doubling)').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await tab.getByRole('heading', { name: 'No tools yet', exact: true }).waitFor()
    assert.deepEqual(await stored(), [])
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the file of a tool of Flowise is imported; another file is refused with its name', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/tools' })
    const file = (name: string, content: object) => {
      const place = path.join(folder, name)
      writeFileSync(place, JSON.stringify(content))
      return place
    }
    await tab.getByRole('heading', { name: 'No tools yet', exact: true }).waitFor()
    const picker = tab.getByLabel('The file of a tool', { exact: true })
    await picker.setInputFiles(file('flow.json', { nodes: [] }))
    await tab.getByText('flow.json: it is not the file of a tool', { exact: false }).waitFor()
    const tool = {
      name: 'today',
      description: 'Today',
      color: 'red',
      schema: '[]',
      func: 'require("moment")',
    }
    await picker.setInputFiles(file('today.json', tool))
    // A tool that cannot run opens with the reason.
    const dialog = tab.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Change today', exact: true }).waitFor()
    await dialog
      .getByText(/the code requires the module moment/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    assert.partialDeepStrictEqual(await stored(), [tool])
    assert.deepEqual(complaints, [])
    await close()
  })
}
