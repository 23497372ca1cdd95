import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { inPage } from '../support/studio/in-page.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the page of a PDF is shown beside its chunks', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const coloursOf = await inPage<(element: unknown) => number>('colours-of.ts', 'coloursOf')
  const foreignScripts = await inPage<() => string[]>('foreign-scripts.ts', 'foreignScripts')
  const browser = await testBrowser(executable)
  const file = new Uint8Array(
    readFileSync(new URL('../../examples/documents/safety-manual.pdf', import.meta.url)),
  )
  const loaders = { pdfFile: {} }
  const recordManager = { cleanup: 'incremental' }
  const flow = await platform.flow({ loaders, recordManager, apiConfig: { originals: 'keep' } })
  await platform.upload(flow, { 'manual.pdf': file })
  const { body: stored } = await platform.manage<{
    data: { id: string; pageNumber: number; pageContent: string }[]
  }>('GET', `/api/v1/vector/chunks/${flow}?source=manual.pdf&limit=1000`)
  const at = `/flows/${flow}/documents/manual.pdf`
  const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()

  test('the page of a PDF is shown beside its chunks: it follows the selected chunk and marks its words', async () => {
    const last = stored.data.at(-1)!
    assert.ok(last.pageNumber > 1)
    const { tab, complaints, strangers, close } = await openStudio(browser, platform, { path: at })
    const page = tab.getByRole('region', { name: 'Page' })
    await page.locator('[data-page="1"] canvas').waitFor()
    await untilEqual(() => page.locator('canvas').evaluate(coloursOf), 2, 'the page is white')

    await tab.goto(`${platform.url}${at}?chunk=${last.id}`)
    await page.locator(`[data-page="${last.pageNumber}"] canvas`).waitFor()
    await page.getByText(`The selected chunk is marked on page ${last.pageNumber}.`).waitFor()
    await page.locator('mark').first().waitFor()
    const marked = async () => letters((await page.locator('mark').allTextContents()).join(''))
    await untilEqual(marked, letters(last.pageContent))

    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByText(`The selected chunk is on page ${last.pageNumber}.`).waitFor()
    await tab.waitForURL(new RegExp(`pdfPage=${last.pageNumber - 1}`))
    await tab.getByRole('region', { name: 'Chunks' }).getByRole('button', { name: /^1\D/ }).first().click()
    await page.getByText('The selected chunk is marked on page 1').waitFor()

    await tab.getByRole('button', { name: 'Text', exact: true }).click()
    await tab.getByRole('region', { name: 'Text', exact: true }).getByRole('button').first().waitFor()
    await tab.waitForURL(/view=text/)
    assert.deepEqual([complaints, strangers], [[], []])
    await close()
  })

  test('the studio gives no other script the permission to be a worker', async () => {
    const { tab, close } = await openStudio(browser, platform, { path: at })
    await tab.getByRole('region', { name: 'Page' }).locator('[data-page="1"] canvas').waitFor()
    const refused = await tab.evaluate(foreignScripts)
    assert.deepEqual(refused, ['TypeError', 'TypeError', 'TypeError'])
    await close()
  })

  test('a PDF that cannot be shown as pages says why, with a way to its text', async () => {
    const { tab, close } = await openStudio(browser, platform, { path: `${at}?view=text` })
    const text = tab.getByRole('region', { name: 'Text', exact: true }).getByRole('button').first()
    await text.waitFor()
    await tab.route('**/original?*', (route) =>
      route.fulfill({ body: '%PDF-1.7 damaged', contentType: 'application/pdf' }),
    )
    await tab.getByRole('button', { name: 'Page', exact: true }).click()
    await tab.getByRole('alert').getByText('it may be damaged').waitFor()
    await tab.getByRole('button', { name: 'Show the text' }).click()
    await text.waitFor()
    await close()
  })

  test('a PDF of a flow that does not keep files links to the switch that keeps them', async () => {
    const other = await platform.flow({ loaders, recordManager })
    await platform.upload(other, { 'manual.pdf': file })
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${other}/documents/manual.pdf`,
    })
    await tab.getByRole('region', { name: 'Text', exact: true }).getByRole('button').first().waitFor()
    await tab.getByRole('link', { name: 'Configuration, Documents' }).click()
    await tab.getByRole('switch', { name: 'Keep the files' }).check()
    await tab.getByRole('button', { name: 'Save the flow' }).click()
    await tab.getByRole('button', { name: 'Save the flow' }).waitFor({ state: 'detached' })
    const { body } = await platform.manage<{ originals: boolean }>(
      'GET',
      `/api/v1/chatflows/${other}/settings`,
    )
    assert.equal(body.originals, true)
    assert.deepEqual(complaints, [])
    await close()
  })
}
