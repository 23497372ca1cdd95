import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { DocumentStoreAnswer } from '../../src/api/document-store.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
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
    await dialog.locator('input[type=file]').setInputFiles([
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

  test('a chunk is edited and deleted, and an edit whose source changed is shown with both texts', async () => {
    const path = '/api/v1/document-store'
    const made = await platform.manage<DocumentStoreAnswer>('POST', `${path}/store`, { name: 'Rules' })
    const upsert = async (text: string, fields: Record<string, string>) => {
      const body = new FormData()
      body.append('files', new Blob([text]), 'rules.txt')
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      const { status, body: answer } = await platform.call<{ docId: string }>(
        'POST',
        `${path}/upsert/${made.body.id}`,
        { body, key: ADMIN_KEY },
      )
      assert.equal(status, 200)
      return answer.docId
    }
    const lines = Array.from({ length: 60 }, (_, n) => `Rule ${n} of the house is number ${n}.`)
    const splitter = JSON.stringify({
      name: 'sluiceTextSplitter',
      config: { chunkSize: 40, chunkOverlap: 0 },
    })
    const docId = await upsert(lines.join('\n\n'), { splitter, loaderName: 'House rules' })

    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/document-stores/${made.body.slug}`,
    })
    const dialog = tab.getByRole('dialog')
    await tab.getByRole('link', { name: 'House rules', exact: true }).click()
    await tab.getByRole('heading', { name: 'Chunks of House rules', exact: true }).waitFor()
    const pager = tab.getByRole('navigation', { name: 'Pages of chunks' })
    await pager.getByText('1–50 of 60').waitFor()
    await pager.getByRole('button', { name: 'Next page of chunks' }).press('Enter')
    await tab.getByText('Rule 59 of the house is number 59.', { exact: true }).waitFor()
    await pager.getByRole('button', { name: 'Previous page of chunks' }).press('Enter')

    await tab.getByRole('button', { name: 'Edit chunk 1 of rules.txt' }).press('Enter')
    await dialog.getByLabel('Text', { exact: true }).fill('Rule 0 has been struck.')
    await dialog.getByRole('button', { name: 'Save the chunk' }).click()
    await tab.getByText('edited', { exact: true }).waitFor()
    const chunks = tab.getByRole('list', { name: 'Chunks', exact: true })
    await chunks.getByText('Rule 0 has been struck.', { exact: true }).waitFor()
    await tab.getByRole('button', { name: 'Delete chunk 3 of rules.txt' }).click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await pager.getByText('1–50 of 59').waitFor()
    assert.equal(await chunks.getByText(lines[2]!, { exact: true }).count(), 0)

    lines[0] = 'Rule 0 is another one since today.'
    assert.equal(await upsert(lines.join('\n\n'), { docId, replaceExisting: 'true' }), docId)
    await tab.goto(`${platform.url}/document-stores/${made.body.slug}`)
    await tab.getByText('1 edit of chunks kept aside').waitFor()
    await tab.getByRole('link', { name: 'Show both texts' }).press('Enter')
    await tab.getByRole('heading', { name: '1 edit kept aside', exact: true }).waitFor()
    const aside = tab.getByRole('list', { name: 'Edits kept aside' })
    await aside.getByText('Rule 0 of the house is number 0.', { exact: true }).waitFor()
    await aside.getByText('Rule 0 has been struck.', { exact: true }).waitFor()
    await chunks.getByText('Rule 0 is another one since today.', { exact: true }).waitFor()
    await aside.getByRole('button', { name: 'Remove the edit of rules.txt' }).click()
    await dialog.getByRole('button', { name: 'Remove the edit', exact: true }).click()
    const asides = async () =>
      (await platform.manage<{ setAside: boolean }[]>('GET', `${path}/edits/${made.body.id}`)).body.map(
        ({ setAside }) => setAside,
      )
    await untilEqual(asides, [false])
    await tab.getByRole('dialog', { name: 'Remove the edit of rules.txt?' }).waitFor({ state: 'hidden' })
    await tab.getByText('1 edit in effect').waitFor()
    await tab.getByRole('heading', { name: '1 edit kept aside', exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await close()
  })

  const menu = async (tab: Page, row: string, item: string) => {
    await tab.getByRole('button', { name: `Actions for ${row}` }).click()
    await tab.getByRole('menuitem', { name: item }).click()
  }
}
