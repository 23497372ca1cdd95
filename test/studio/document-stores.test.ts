import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { DocumentStoreAnswer } from '../../src/api/document-store.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio has a screen for document stores', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const stores = async () =>
    (await platform.manage<DocumentStoreAnswer[]>('GET', '/api/v1/document-store/store')).body

  test('a document store is made, renamed and deleted, and told to be used by a flow', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/document-stores' })
    const dialog = tab.getByRole('dialog')
    await tab.getByRole('heading', { name: 'No document stores yet', exact: true }).waitFor()
    await tab.getByRole('button', { name: 'New document store' }).first().press('Enter')
    await dialog.getByLabel('Name', { exact: true }).fill('Handbook')
    await dialog.getByLabel('What it contains').fill('The rules')
    await dialog.getByLabel('Name', { exact: true }).press('Enter')
    await tab.getByRole('heading', { name: 'No loaders yet', exact: true }).waitFor()
    await tab.getByRole('link', { name: 'All document stores', exact: true }).press('Enter')
    await tab.getByRole('row', { name: /^Handbook 0 0 empty not used/ }).waitFor()

    const [store] = await stores()
    const agent = {
      id: 'agentAgentflow_0',
      data: {
        id: 'agentAgentflow_0',
        name: 'agentAgentflow',
        label: 'Agent',
        inputs: {
          agentKnowledgeDocumentStores: [
            { documentStore: `${store!.id}:Handbook`, docStoreDescription: 'x' },
          ],
        },
      },
    }
    await platform.manage('POST', '/api/v1/chatflows', {
      name: 'Reader',
      type: 'AGENTFLOW',
      flowData: { nodes: [agent], edges: [] },
    })
    await tab.reload()
    await tab
      .getByRole('row', { name: /^Handbook/ })
      .getByRole('link', { name: 'Reader' })
      .waitFor()

    await menu(tab, 'Handbook', 'Rename')
    await dialog.getByLabel('Name', { exact: true }).fill('Rules')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await tab.getByRole('link', { name: 'Rules', exact: true }).waitFor()
    assert.deepEqual(
      (await stores()).map(({ name, description }) => [name, description]),
      [['Rules', 'The rules']],
    )

    await menu(tab, 'Rules', 'Delete')
    await dialog.getByText('These flows use it').waitFor()
    await dialog.getByRole('link', { name: 'Reader' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await tab.getByRole('heading', { name: 'No document stores yet', exact: true }).waitFor()
    assert.deepEqual(await stores(), [])
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a list that is refused says so without a way to try again', async () => {
    const { tab, close } = await openStudio(browser, platform, { path: '/flows' })
    await tab.route(/\/document-store\/store$/, (route) =>
      route.fulfill({
        status: 403,
        json: { statusCode: 403, code: 'forbidden', success: false, message: 'Not for this key', stack: {} },
      }),
    )
    await tab.getByRole('link', { name: 'Document stores', exact: true }).click()
    await tab.getByRole('heading', { name: 'You may not see this', exact: true }).waitFor()
    assert.equal(await tab.getByRole('button', { name: 'Try again' }).count(), 0)
    assert.equal(await tab.getByRole('button', { name: 'New document store' }).count(), 0)
    await close()
  })

  test('a store loads files and a text, shows what failed, finds chunks, loads again and deletes a loader', async () => {
    const made = await platform.manage<DocumentStoreAnswer>('POST', '/api/v1/document-store/store', {
      name: 'Ferries',
    })
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/document-stores/${made.body.slug}`,
    })
    const dialog = tab.getByRole('dialog')
    const row = (name: string) => tab.getByRole('row', { name: new RegExp(`^${name}`) })
    await tab.getByRole('button', { name: 'Add a loader' }).first().press('Enter')
    await dialog
      .locator('input[type=file]')
      .setInputFiles([
        {
          name: 'bergen.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from('The ferry to Bergen leaves at noon.'),
        },
      ])
    await dialog.getByRole('button', { name: 'Load 1 file', exact: true }).click()
    await row('bergen.txt bergen.txt 1 loaded').waitFor()

    await tab.getByRole('button', { name: 'Add a loader' }).first().click()
    await dialog.getByRole('radio', { name: 'A text' }).check()
    await dialog.getByLabel('Name', { exact: true }).fill('Dogs')
    await dialog.getByLabel('Text', { exact: true }).fill('Dogs are welcome on board.')
    await dialog.getByRole('button', { name: 'Load', exact: true }).click()
    await row('Dogs Dogs.txt 1 loaded').waitFor()

    await tab.getByRole('button', { name: 'Add a loader' }).first().click()
    await dialog.getByLabel('Name', { exact: true }).fill('Broken')
    await dialog
      .locator('input[type=file]')
      .setInputFiles([{ name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('not a PDF') }])
    await dialog.getByRole('button', { name: 'Load 1 file', exact: true }).click()
    await row('Broken none 0 failed').waitFor()
    await tab.getByRole('region', { name: 'Loading' }).getByText('broken.pdf').first().waitFor()

    await tab.getByLabel('Question to the store').fill('when does the ferry leave')
    await tab.getByLabel('Question to the store').press('Enter')
    await tab
      .getByRole('article', { name: 'Chunk 1', exact: true })
      .getByRole('link', { name: 'bergen.txt' })
      .waitFor()

    await menu(tab, 'Broken', 'Delete')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await row('Broken').waitFor({ state: 'detached' })

    const loads = async () =>
      (await platform.manage<{ total: number }>('GET', `/api/v1/jobs?flowId=${made.body.id}&kind=upsert`))
        .body.total
    assert.equal(await loads(), 3)
    await menu(tab, 'Dogs', 'Load again')
    await untilEqual(loads, 4)
    await tab.getByRole('button', { name: 'Refresh all' }).click()
    await untilEqual(loads, 6)
    await row('Dogs Dogs.txt 1 loaded').waitFor()
    await row('bergen.txt bergen.txt 1 loaded').waitFor()
    const [store] = await stores()
    assert.deepEqual([store!.totalChunks, store!.loaders.length], [2, 2])
    assert.deepEqual(complaints, [])
    await close()
  })

  const menu = async (tab: Page, row: string, item: string) => {
    await tab.getByRole('button', { name: `Actions for ${row}` }).click()
    await tab.getByRole('menuitem', { name: item }).click()
  }
}
