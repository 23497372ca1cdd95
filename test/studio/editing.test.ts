import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { heldFlow, longText } from '../support/held-flow.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { canvasAtRest, dragNode, drawLine, focused, openStudio, saved } from '../support/studio.ts'
import { until, untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio edits flows', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const provider = await startProviderServer()
  const browser = await testBrowser(executable)
  after(() => void provider.close())

  type StoredFlow = { flowData: string; revision: number }
  type StoredNode = { id: string; data: { inputs: Record<string, unknown>; label: string } }
  const stored = async (id: string) =>
    (await platform.manage<StoredFlow>('GET', `/api/v1/chatflows/${id}`)).body
  const nodesOf = async (id: string) =>
    (JSON.parse((await stored(id)).flowData) as { nodes: StoredNode[] }).nodes
  const emptyFlow = async (name: string) => {
    const body = { name, flowData: { nodes: [], edges: [] } }
    return (await platform.manage<{ slug: string }>('POST', '/api/v1/chatflows', body)).body.slug
  }

  test('the canvas can be used with the keyboard alone: search, add, connect, change, save', async () => {
    const slug = await emptyFlow('Keyboard')
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
    await tab.getByRole('heading', { name: 'An empty canvas' }).waitFor()
    await tab.keyboard.press('/')
    await focused(tab.getByLabel('Search nodes'))
    await tab.keyboard.type('built-in vector')
    await tab.keyboard.press('Enter')
    await tab.locator('.react-flow__node').waitFor()
    for (const [plug, choice] of [
      ['Document', 'New File Loader'],
      ['Embeddings', 'New Built-in Embeddings'],
    ] as const) {
      await tab.getByRole('button', { name: `Connect ${plug}`, exact: true }).press('Enter')
      await tab.getByRole('menuitem', { name: choice, exact: true }).press('Enter')
    }
    await tab.getByText('Additional parameters').press('Enter')
    await tab.getByLabel('Top K', { exact: true }).fill('7')
    await tab.keyboard.press('Control+s')
    await saved(tab)
    const [store, loader, embeddings] = await nodesOf(slug)
    assert.deepEqual(store!.data.inputs.document, ['{{fileLoader_0.data.instance}}'])
    assert.equal(store!.data.inputs.embeddings, '{{builtInEmbeddings_0.data.instance}}')
    assert.equal(store!.data.inputs.topK, 7)
    assert.deepEqual([loader!.id, embeddings!.id], ['fileLoader_0', 'builtInEmbeddings_0'])
    assert.deepEqual(complaints, [])
    await close()
  })

  test('undo and redo go through adding, typing, copying and removing, and the first version is not unsaved', async () => {
    const slug = await emptyFlow('Undo')
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
    await tab.getByLabel('Search nodes').fill('plain text')
    await tab.getByRole('button', { name: 'Plain Text', exact: true }).click()
    const nodes = tab.locator('.react-flow__node')
    await tab.getByLabel('Name of the node').fill('Greeting')
    await tab.locator('.react-flow__pane').click({ position: { x: 600, y: 30 } })
    await tab.locator('.react-flow__node[aria-label^="Greeting"]').click()
    await tab.keyboard.press('Control+c')
    await tab.keyboard.press('Control+v')
    await nodes.nth(1).waitFor()
    await tab.keyboard.press('Delete')
    await assertCount(tab, 1)
    await tab.keyboard.press('Control+z')
    await assertCount(tab, 2)
    await tab.keyboard.press('Control+z')
    await assertCount(tab, 1)
    await tab.keyboard.press('Control+z')
    await tab.locator('.react-flow__node[aria-label="Plain Text"]').waitFor()
    await tab.keyboard.press('Control+z')
    await assertCount(tab, 0)
    await saved(tab)
    for (let count = 0; count < 3; count++) await tab.keyboard.press('Control+Shift+z')
    await assertCount(tab, 2)
    await tab.keyboard.press('Control+s')
    await saved(tab)
    assert.deepEqual(
      (await nodesOf(slug)).map(({ id, data }) => [id, data.label]),
      [
        ['plainText_0', 'Greeting'],
        ['plainText_1', 'Greeting'],
      ],
    )
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a line that is let go on the empty canvas offers the nodes that fit; one that does not fit says why', async () => {
    const slug = await emptyFlow('Lines')
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
    await dragNode(tab, 'Built-in Vector Store', 500, 300)
    await dragNode(tab, 'Recursive Character Text Splitter', 60, 500)
    await tab.getByRole('button', { name: 'Close the inputs' }).click()
    await canvasAtRest(tab)
    const plug = tab.locator('.react-flow__handle[data-handleid="embeddings"]')
    const { x, y } = (await plug.boundingBox())!
    await tab.mouse.move(x + 6, y + 6)
    await tab.mouse.down()
    await tab.mouse.move(x - 200, y - 150, { steps: 8 })
    await tab.mouse.up()
    await tab.getByRole('menuitem', { name: 'Built-in Embeddings', exact: true }).click()
    await assertCount(tab, 3)
    await drawLine(tab, 'Recursive Character Text Splitter', 'Built-in Vector Store', 'document')
    await tab.getByText(/Document of Built-in Vector Store takes Document/).waitFor()
    await tab.keyboard.press('Control+s')
    await saved(tab)
    const [store, , embeddings] = await nodesOf(slug)
    assert.equal(store!.data.inputs.embeddings, `{{${embeddings!.id}.data.instance}}`)
    assert.deepEqual(store!.data.inputs.document, [])
    assert.deepEqual(complaints, [])
    await close()
  })

  test('nodes with their lines are copied as text, and pasted in another tab with ids of their own', async () => {
    const target = await emptyFlow('Paste')
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/flows/quickstart' })
    await tab.locator('.react-flow__node').first().waitFor()
    await tab.keyboard.press('Control+a')
    await tab.keyboard.press('Control+c')
    const copied = async () => {
      const text = await tab.evaluate<string>('navigator.clipboard.readText()')
      return text === '' ? 0 : (JSON.parse(text) as { nodes: object[] }).nodes.length
    }
    await untilEqual(copied, 5)
    const other = await tab.context().newPage()
    await other.goto(`${platform.url}/flows/${target}`)
    await other.getByRole('heading', { name: 'An empty canvas' }).waitFor()
    await other.keyboard.press('Control+v')
    await assertCount(other, 5)
    await other.keyboard.press('Control+v')
    await assertCount(other, 10)
    await other.getByRole('button', { name: 'Outline, 0 problems' }).waitFor()
    await other.keyboard.press('Control+s')
    await saved(other)
    const stores = (await nodesOf(target)).filter(({ id }) => id.startsWith('builtInVectorStore'))
    assert.deepEqual(
      stores.map(({ data: { inputs } }) => inputs.embeddings),
      ['{{builtInEmbeddings_0.data.instance}}', '{{builtInEmbeddings_1.data.instance}}'],
    )
    assert.deepEqual(complaints, [])
    await other.close()
    await close()
  })

  test('leaving a screen with unsaved changes asks first, and can save', async () => {
    const slug = await emptyFlow('Guard')
    const { tab, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
    await tab.getByRole('button', { name: 'Plain Text', exact: true }).click()
    await tab.getByRole('link', { name: 'All flows' }).click()
    await tab.getByRole('button', { name: 'Stay here' }).click()
    assert.match(tab.url(), /\/flows\/guard(\?|$)/)
    await tab.getByRole('link', { name: 'All flows' }).click()
    await tab.getByRole('button', { name: 'Save and leave' }).click()
    await tab.getByRole('heading', { name: 'Flows', exact: true }).waitFor()
    assert.equal((await nodesOf(slug)).length, 1)
    await close()
  })

  test('a flow that was saved in another tab is not overwritten without a decision', async () => {
    const slug = await emptyFlow('Two tabs')
    const first = await openStudio(browser, platform, { path: `/flows/${slug}` })
    const second = await openStudio(browser, platform, { path: `/flows/${slug}` })
    // Both have the flow as it is before the first change.
    for (const { tab } of [first, second]) await saved(tab)
    for (const [{ tab }, label] of [
      [first, 'Plain Text'],
      [second, 'File Loader'],
    ] as const) {
      await tab.getByRole('button', { name: label, exact: true }).click()
      await tab.keyboard.press('Control+s')
      if (tab === first.tab) await saved(tab)
    }
    await second.tab.getByText('saved elsewhere meanwhile').waitFor()
    assert.deepEqual(
      (await nodesOf(slug)).map(({ id }) => id),
      ['plainText_0'],
    )
    await second.tab.getByRole('button', { name: 'Save mine as a copy' }).click()
    await second.tab.waitForURL(/copy-of-two-tabs/)
    assert.deepEqual(
      (await nodesOf('copy-of-two-tabs')).map(({ id }) => id),
      ['fileLoader_0'],
    )
    await first.close()
    await second.close()
  })

  test('a link leads to the inputs of a node, and the address follows the selected node', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: '/flows/quickstart?node=fileLoader_0',
    })
    const inputsOf = (id: string) => tab.locator(`[data-node-form="${id}"]`)
    await inputsOf('fileLoader_0').waitFor()
    // The canvas moves to the linked node as soon as the panel has its width: a click in that moment meets another place.
    await until(async () => {
      await canvasAtRest(tab)
      await tab.locator('.react-flow__node[aria-label="Built-in Embeddings"]').click()
      return inputsOf('builtInEmbeddings_0').isVisible()
    })
    await tab.waitForURL(/node=builtInEmbeddings_0/)
    await tab.getByRole('link', { name: 'Documents' }).click()
    await tab.getByRole('link', { name: 'Canvas' }).click()
    await inputsOf('builtInEmbeddings_0').waitFor()
    await tab.waitForURL(/node=builtInEmbeddings_0/)
    await tab.reload()
    await inputsOf('builtInEmbeddings_0').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a session that ends in the middle is renewed over the screen, and nothing drawn is lost', async () => {
    const slug = await emptyFlow('Session')
    const { tab, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
    await tab.getByRole('button', { name: 'Plain Text', exact: true }).click()
    const ended = await platform.manage('DELETE', '/api/v1/session?everywhere=true')
    assert.equal(ended.status, 200)
    await tab.keyboard.press('Control+s')
    await tab.getByRole('heading', { name: 'Sign in again' }).waitFor()
    await tab.getByLabel('Management key').fill(ADMIN_KEY)
    await tab.getByLabel('Management key').press('Enter')
    await tab.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' })
    await tab.getByText('Unsaved changes').waitFor()
    await tab.keyboard.press('Control+s')
    await saved(tab)
    assert.equal((await nodesOf(slug)).length, 1)
    await close()
  })

  test('an upsert goes on when the page is loaded anew, and can be cancelled there', async () => {
    const slug = await heldFlow(platform.manage, provider, 'Held')
    provider.hold(4)
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
    await tab.getByRole('button', { name: /^Upsert/ }).click()
    await tab
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name: 'book.txt', mimeType: 'text/plain', buffer: Buffer.from(longText('sea')) })
    await tab.getByRole('button', { name: 'Upsert 1 file' }).click()
    await tab.getByText('This goes on when you close the dialog').waitFor()
    await tab.reload()
    await tab.getByRole('button', { name: /^Upserting/ }).click()
    await tab.getByRole('button', { name: 'Cancel the upsert' }).click()
    await tab.getByRole('heading', { name: 'Upsert cancelled' }).waitFor()
    await tab.getByText('Nothing of it was stored').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
}

async function assertCount(tab: Page, count: number): Promise<void> {
  const nodes = tab.locator('.react-flow__node')
  if (count > 0) await nodes.nth(count - 1).waitFor()
  await nodes.nth(count).waitFor({ state: 'detached' })
}
