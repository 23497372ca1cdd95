import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio, saved } from '../support/studio.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio merges, compares and restores revisions', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)

  type StoredNode = { id: string; data: { label: string; inputs: Record<string, unknown> } }
  const nodesOf = async (slug: string) => {
    const { body } = await platform.manage<{ flowData: string }>('GET', `/api/v1/chatflows/${slug}`)
    return (JSON.parse(body.flowData) as { nodes: StoredNode[] }).nodes
  }
  const save = async (tab: Page) => {
    await tab.keyboard.press('Control+s')
    await saved(tab)
  }
  const make = async (name: string) => {
    const body = { name, flowData: { nodes: [], edges: [] } }
    return (await platform.manage<{ slug: string }>('POST', '/api/v1/chatflows', body)).body.slug
  }
  const addText = async (tab: Page, text: string) => {
    await tab.getByRole('button', { name: 'Plain Text', exact: true }).click()
    await tab.getByLabel('Text', { exact: true }).fill(text)
  }

  test('two tabs that save one flow are merged by node and input; nothing of either is lost [studio:merge]', async () => {
    const slug = await make('Merged')
    const [mine, theirs] = [
      await openStudio(browser, platform, { path: `/flows/${slug}` }),
      await openStudio(browser, platform, { path: `/flows/${slug}` }),
    ]
    await addText(theirs.tab, 'Theirs.')
    await save(theirs.tab)
    await addText(mine.tab, 'Mine.')
    await mine.tab.keyboard.press('Control+s')

    // Both added a node under one id: both stay, and there is nothing to choose.
    const dialog = mine.tab.getByRole('dialog', { name: 'This flow was saved elsewhere meanwhile' })
    await dialog.getByText('Revision 2 by studio session').waitFor()
    await dialog.getByText('Nothing was changed on both sides').waitFor()
    await dialog.getByRole('button', { name: 'Save the merged flow' }).click()
    await dialog.waitFor({ state: 'detached' })
    await saved(mine.tab)
    assert.deepEqual(
      (await nodesOf(slug)).map(({ id, data }) => [id, data.inputs.text]),
      [
        ['plainText_0', 'Theirs.'],
        ['plainText_1', 'Mine.'],
      ],
    )

    // Now the second tab is behind; both change the same input.
    await mine.tab.locator('.react-flow__node[data-id="plainText_0"]').click()
    await mine.tab.getByLabel('Text', { exact: true }).fill('Mine again.')
    await save(mine.tab)
    await theirs.tab.getByLabel('Text', { exact: true }).fill('Theirs again.')
    await theirs.tab.keyboard.press('Control+s')
    const other = theirs.tab.getByRole('dialog', { name: 'This flow was saved elsewhere meanwhile' })
    const choice = other.getByRole('group', { name: 'Plain Text · Text' })
    await choice.getByText('Theirs again.').waitFor()
    await choice.getByRole('radio', { name: /^Theirs/ }).check()
    await other.getByRole('button', { name: 'Save the merged flow' }).click()
    await other.waitFor({ state: 'detached' })
    await saved(theirs.tab)
    assert.deepEqual(
      (await nodesOf(slug)).map(({ data }) => data.inputs.text),
      ['Mine again.', 'Mine.'],
    )
    // What was not taken comes back by undo.
    await theirs.tab.getByRole('button', { name: /^Undo/ }).click()
    await theirs.tab.locator('.react-flow__node[data-id="plainText_0"]').getByText('Theirs again.').waitFor()
    for (const { complaints, close } of [mine, theirs]) {
      assert.deepEqual(
        complaints.filter((line) => !/status of 412/.test(line)),
        [],
      )
      await close()
    }
  })

  test('a name that is refused because the flow was saved meanwhile is saved with the merged flow [studio:merge]', async () => {
    const slug = await make('Old name')
    const { tab, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
    await tab.getByRole('heading', { name: 'An empty canvas' }).waitFor()
    await platform.manage('PUT', `/api/v1/chatflows/${slug}`, { category: 'x' })
    await tab.getByLabel('Name of the flow').fill('New name')
    await tab.keyboard.press('Enter')
    await tab.getByText('Both versions have the same drawing').waitFor()
    await tab.getByRole('button', { name: 'Save the merged flow' }).click()
    await tab.getByRole('heading', { name: 'New name' }).waitFor()
    const { body } = await platform.manage('GET', `/api/v1/chatflows/${slug}`)
    assert.partialDeepStrictEqual(body, { name: 'New name', category: 'x' })
    await close()
  })

  test('revisions are compared by node and input, long texts line by line, and one is restored [studio:revisions]', async () => {
    const slug = await make('Revised')
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
    const lines = Array.from({ length: 40 }, (_, at) => `Line ${at} of a long text.`)
    await addText(tab, lines.join('\n'))
    await save(tab)
    await tab.getByLabel('Name of the node').fill('Rules')
    await tab.getByLabel('Text', { exact: true }).fill(lines.with(20, 'Another line.').join('\n'))
    await save(tab)
    await tab.getByRole('link', { name: 'Revisions' }).click()
    await tab.getByRole('heading', { name: 'Revision 3' }).waitFor()
    const compared = tab.getByRole('region', { name: 'Compared' })
    await compared.getByText('From revision 2 to revision 3').waitFor()
    await compared.locator('ins', { hasText: 'Rules' }).waitFor()
    await compared.locator('del', { hasText: 'Line 20 of a long text.' }).waitFor()
    await compared.locator('ins', { hasText: 'Another line.' }).waitFor()
    await compared.getByText('unchanged lines').first().waitFor()
    await compared.getByLabel('Compare with').selectOption('1')
    await compared.getByText('added', { exact: true }).waitFor()
    await tab.waitForURL(/n=3&with=1/)

    await tab.getByRole('link', { name: /^Revision 2/ }).click()
    await tab.getByRole('heading', { name: 'Revision 2' }).waitFor()
    await tab.getByRole('button', { name: 'Restore' }).click()
    await tab.getByText('Revision 2 is now revision 4').waitFor()
    await tab.getByRole('link', { name: /^Revision 4/ }).waitFor()
    assert.equal((await nodesOf(slug))[0]!.data.inputs.text, lines.join('\n'))
    // The open drawing shows it, and goes on from it.
    await tab.getByRole('link', { name: 'Canvas' }).click()
    await tab.locator('.react-flow__node[aria-label="Plain Text"]').click()
    await tab.getByLabel('Name of the node').fill('Later')
    await save(tab)
    assert.equal((await nodesOf(slug))[0]!.data.label, 'Later')
    assert.deepEqual(complaints, [])
    await close()
  })
}
