import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio, saved } from '../support/studio.ts'
import { until, untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio shows a flow as text', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)

  type Node = { id: string; data: { inputs: Record<string, unknown> } }
  const newFlow = async (name: string) => {
    const made = await platform.manage<{ slug: string }>('POST', '/api/v1/chatflows', {
      name,
      template: 'quickstart',
    })
    assert.equal(made.status, 200, made.text)
    return made.body.slug
  }
  const storedInput = async (flow: string, node: string, input: string) => {
    const { flowData } = (await platform.manage<{ flowData: string }>('GET', `/api/v1/chatflows/${flow}`))
      .body
    const { nodes } = JSON.parse(flowData) as { nodes: Node[] }
    return nodes.find(({ id }) => id === node)?.data.inputs[input]
  }
  const pane = (tab: Page) => tab.getByRole('complementary', { name: 'Flow as text' })
  const editor = (tab: Page) => tab.locator('[aria-label="Flow as text"].cm-content')
  const textOf = async (tab: Page) => (await editor(tab).locator('.cm-line').allTextContents()).join('\n')
  const undoButton = (tab: Page) =>
    tab.getByRole('toolbar', { name: 'Canvas' }).getByRole('button', { name: /^Undo/ })

  async function openText(name: string) {
    const slug = await newFlow(name)
    const opened = await openStudio(browser, platform, { path: `/flows/${slug}` })
    const { tab } = opened
    await tab.locator('.react-flow__node').first().waitFor()
    await tab.keyboard.press('Alt+t')
    await editor(tab).waitFor()
    await until(async () => (await textOf(tab)).includes('node: sluiceTextSplitter'))
    return { ...opened, slug }
  }

  /** Puts the cursor at the end of a line. */
  async function goToLine(tab: Page, line: string): Promise<void> {
    await editor(tab).locator('.cm-line', { hasText: line }).first().click()
    await tab.keyboard.press('End')
  }

  test('what is typed into the text is drawn, saved and undone as one with the drawing [studio:flow-text]', async () => {
    const { tab, slug, complaints, close } = await openText('Typed text')
    await goToLine(tab, 'node: sluiceTextSplitter')
    await tab.keyboard.type('\ninputs:\n  chunkSize: 600')
    await tab
      .getByRole('toolbar', { name: 'Canvas' })
      .getByRole('button', { name: 'Undo: edit the text' })
      .waitFor()
    await tab.keyboard.press('Control+s')
    await saved(tab)
    assert.equal(await storedInput(slug, 'sluiceTextSplitter_0', 'chunkSize'), 600)
    await tab.keyboard.press('Control+z')
    await until(async () => !(await textOf(tab)).includes('chunkSize: 600'))
    await tab.keyboard.press('Control+s')
    await until(async () => (await storedInput(slug, 'sluiceTextSplitter_0', 'chunkSize')) !== 600)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a change of the drawing is in the text, and its undo too [studio:flow-text]', async () => {
    const { tab, complaints, close } = await openText('Drawn text')
    await tab.locator('.react-flow__node[data-id="builtInEmbeddings_0"]').click()
    await tab.keyboard.press('Delete')
    await until(async () => !(await textOf(tab)).includes('node: builtInEmbeddings'))
    await undoButton(tab).click()
    await until(async () => (await textOf(tab)).includes('node: builtInEmbeddings'))
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a text with a mistake leaves the drawing and says so at the line [studio:flow-text]', async () => {
    const { tab, complaints, close } = await openText('Wrong text')
    const nodes = await tab.locator('.react-flow__node').count()
    await goToLine(tab, 'node: sluiceTextSplitter')
    await tab.keyboard.type('X')
    await pane(tab).getByText('1 mistake in the text: the drawing stays as it was.').waitFor()
    await pane(tab)
      .getByRole('button', {
        name: /There is no node sluiceTextSplitterX: did you mean sluiceTextSplitter\?/,
      })
      .waitFor()
    assert.equal(await tab.locator('.react-flow__node').count(), nodes)
    await tab.keyboard.press('Control+z')
    await until(async () => !(await textOf(tab)).includes('sluiceTextSplitterX'))
    await pane(tab).getByText('the drawing stays').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a text with a mistake is asked about before the flow is left, and stays where the person stays [studio:flow-text]', async () => {
    const { tab, complaints, close } = await openText('Left text')
    await goToLine(tab, 'node: sluiceTextSplitter')
    await tab.keyboard.type('X')
    await pane(tab).getByText('1 mistake in the text').waitFor()
    // Another tab of the flow asks nothing, and the text is there afterwards.
    await tab.getByRole('link', { name: 'Documents' }).click()
    await tab.getByRole('link', { name: 'Canvas' }).click()
    await tab.getByRole('button', { name: 'Flow as text' }).click()
    await until(async () => (await textOf(tab)).includes('sluiceTextSplitterX'))
    const leave = () => tab.getByRole('link', { name: 'All flows' }).click()
    const dialog = tab.getByRole('dialog', { name: 'Save the changes?' })
    await leave()
    await dialog.getByText('is not in the drawing').waitFor()
    await dialog.getByRole('button', { name: 'Save and leave' }).click()
    await dialog.waitFor({ state: 'detached' })
    await tab.getByText('The text of the flow has a mistake: mend it').first().waitFor()
    await until(async () => (await textOf(tab)).includes('sluiceTextSplitterX'))
    await leave()
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await tab.waitForURL(/\/flows$/)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a line selects its node, and a node its lines [studio:flow-text]', async () => {
    const { tab, complaints, close } = await openText('Selected text')
    await goToLine(tab, 'node: builtInVectorStore')
    await tab.locator('.react-flow__node.selected[data-id="builtInVectorStore_0"]').waitFor()
    await tab.locator('.react-flow__node[data-id="fileLoader_0"]').click()
    await until(
      async () => (await editor(tab).locator('.cm-chosen').first().textContent()) === '  fileLoader_0:',
    )
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the text completes inputs, marks lines that are not saved, and Tab leaves it [studio:flow-text]', async () => {
    const { tab, complaints, close } = await openText('Completed text')
    assert.equal(await editor(tab).locator('.cm-unsaved').count(), 0)
    await goToLine(tab, 'node: sluiceTextSplitter')
    await tab.keyboard.type('\ninputs:\n  chunkS')
    const offer = tab.getByRole('option', { name: /chunkSize/ })
    // By the mouse: Enter right after the list has come would begin a line.
    await offer.click()
    await until(async () => (await textOf(tab)).includes('      chunkSize: '))
    await tab.keyboard.type('700')
    await untilEqual(() => editor(tab).locator('.cm-unsaved', { hasText: 'chunkSize: 700' }).count(), 1)
    assert.equal(await tab.evaluate("document.activeElement?.matches('[data-code]')"), true)
    await tab.keyboard.press('Tab')
    await until(() => tab.evaluate("!document.activeElement?.matches('[data-code]')"))
    assert.deepEqual(complaints, [])
    await close()
  })
}
