import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { FlowAnswer } from '../../src/api/flow.ts'
import type { DraftStateAnswer } from '../../src/api/flow-draft.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { focused, openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio saves drafts, shows what would change, publishes and loads again', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform({
    STUDIO_DRAFTS: 'true',
    EMBEDDING_PRICES: 'sluice-static-256-v1=2 EUR',
  })
  const browser = await testBrowser(executable)
  const text = Array.from({ length: 40 }, (_, n) => `Berth ${n} takes ships of ${n + 40} metres.`).join(
    '\n\n',
  )

  async function make(name: string): Promise<string> {
    const flow = await platform.flow({
      name,
      overridable: ['files'],
      splitter: { chunkSize: 1000, chunkOverlap: 0 },
      recordManager: { cleanup: 'incremental' },
    })
    await platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: { originals: 'on' } })
    await platform.upload(flow, { 'berths.txt': text, 'short.txt': 'One berth.' })
    return flow
  }
  const flowOf = async (flow: string) =>
    (await platform.manage<FlowAnswer>('GET', `/api/v1/chatflows/${flow}`)).body
  const draftOf = async (flow: string) =>
    (await platform.manage<DraftStateAnswer>('GET', `/api/v1/chatflows/${flow}/draft`)).body
  const sizeIn = (flowData: string) => /"chunkSize":"?(\d+)/.exec(flowData)?.[1]
  const chunksOf = async (flow: string) =>
    (await platform.manage<{ total: number }>('GET', `/api/v1/vector/chunks/${flow}?limit=1`)).body.total
  const bar = (tab: Page) => tab.getByRole('region', { name: 'Changed settings' })
  const node = (tab: Page) => tab.locator('.react-flow__node[data-id="recursiveCharacterTextSplitter_0"]')
  const draftSaved = (tab: Page) =>
    tab.locator('[data-dirty="false"]').getByText('Draft saved', { exact: true }).waitFor()

  async function cutInto(tab: Page, size: string): Promise<void> {
    await node(tab).click()
    await tab.getByLabel('Chunk Size (characters)', { exact: true }).fill(size)
    await tab.keyboard.press('Control+s')
  }

  test('a save makes a draft; what would change is shown by source, before and after; one click publishes and loads again [drafts:studio]', async () => {
    const flow = await make('Harbour')
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${flow}` })
    await node(tab).waitFor()
    assert.equal(await bar(tab).count(), 0)
    await cutInto(tab, '200')
    await draftSaved(tab)
    await bar(tab)
      .getByText('Chunk Size 1000 → 200 is not live, and not in 2 loaded documents yet.')
      .waitFor()
    await bar(tab)
      .getByText(/^Draft of revision 2 by studio session/)
      .waitFor()
    assert.equal(sizeIn((await flowOf(flow)).flowData), '1000')
    const before = await chunksOf(flow)

    await bar(tab).getByRole('button', { name: 'What would change' }).click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'What would change' }).waitFor()
    await dialog.getByText('Source of change').waitFor()
    await dialog.locator('del', { hasText: '1000' }).waitFor()
    await dialog.locator('ins', { hasText: '200' }).waitFor()
    await dialog.getByText('Price').waitFor()
    await dialog.getByRole('button', { name: /^berths\.txt \d+ → \d+: \d+ added, \d+ deleted/ }).click()
    await dialog.getByRole('list', { name: 'Stored now' }).getByText('Berth 0 takes').first().waitFor()
    await dialog.getByRole('list', { name: 'Chunks' }).getByText('Berth 0 takes').first().waitFor()
    assert.equal(await chunksOf(flow), before)
    if (process.env.DRAFT_PICTURES) await tab.screenshot({ path: `${process.env.DRAFT_PICTURES}/what.png` })
    await tab.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // It is there on the tab of documents too, and after the page was opened anew.
    await tab.getByRole('link', { name: 'Documents' }).click()
    await bar(tab).getByText('is not live').waitFor()
    await tab.getByRole('link', { name: 'Ask' }).click()
    await bar(tab).waitFor({ state: 'detached' })
    await tab.getByRole('link', { name: 'Canvas' }).click()
    await tab.reload()
    await node(tab).click()
    assert.equal(await tab.getByLabel('Chunk Size (characters)', { exact: true }).inputValue(), '200')
    await bar(tab).getByRole('button', { name: 'Publish and load again' }).click()
    await tab.getByText(/Upsert done/).waitFor()
    await bar(tab).waitFor({ state: 'detached' })
    assert.equal(sizeIn((await flowOf(flow)).flowData), '200')
    assert.ok((await chunksOf(flow)) > before)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a draft is published and discarded by keyboard; a publication that is refused says why [drafts:studio]', async () => {
    const flow = await make('Keys')
    const { tab, close } = await openStudio(browser, platform, { path: `/flows/${flow}` })
    await node(tab).click()
    await tab.getByLabel('Chunk Overlap (characters)', { exact: true }).fill('5000')
    await tab.keyboard.press('Control+s')
    await draftSaved(tab)
    await bar(tab)
      .getByText(/cannot be published: .*would fail/)
      .waitFor()
    const publish = bar(tab).getByRole('button', { name: 'Publish', exact: true })
    await publish.focus()
    await focused(publish)
    await tab.keyboard.press('Enter')
    await bar(tab).getByRole('alert').waitFor()
    assert.equal((await flowOf(flow)).revision, 2)
    const palette = tab.getByRole('dialog', { name: 'Commands' })
    await tab.keyboard.press('Control+k')
    await focused(palette.getByRole('combobox', { name: 'Search commands' }))
    await tab.keyboard.type('discard the draft')
    await palette
      .getByRole('option', { name: 'Discard the draft' })
      .and(tab.locator('[data-highlighted]'))
      .waitFor()
    await tab.keyboard.press('Enter')
    await bar(tab).waitFor({ state: 'detached' })
    assert.equal((await draftOf(flow)).draft, null)
    await node(tab).click()
    // The draft is gone before the live drawing has come.
    await untilEqual(() => tab.getByLabel('Chunk Overlap (characters)', { exact: true }).inputValue(), '0')
    await close()
  })

  test('two people and a live flow that moved on are told and merged; nothing of either is lost [drafts:studio]', async () => {
    const flow = await make('Two')
    const [mine, theirs] = [
      await openStudio(browser, platform, { path: `/flows/${flow}` }),
      await openStudio(browser, platform, { path: `/flows/${flow}` }),
    ]
    await node(mine.tab).waitFor()
    await cutInto(theirs.tab, '300')
    await draftSaved(theirs.tab)
    await node(mine.tab).click()
    await mine.tab.getByLabel('Chunk Overlap (characters)', { exact: true }).fill('20')
    await mine.tab.keyboard.press('Control+s')
    const dialog = mine.tab.getByRole('dialog', { name: 'The draft was saved elsewhere meanwhile' })
    await dialog.getByText('Another draft of revision 2 by studio session').waitFor()
    await dialog.getByRole('button', { name: 'Save the merged draft' }).click()
    await dialog.waitFor({ state: 'detached' })
    await draftSaved(mine.tab)
    assert.equal((await draftOf(flow)).summary, 'Chunk Size 1000 → 300, Chunk Overlap 0 → 20')

    // Another client changes the live drawing.
    const live = JSON.parse((await flowOf(flow)).flowData) as {
      nodes: { data: { name: string; label: string } }[]
    }
    live.nodes.find(({ data }) => data.name === 'fileLoader')!.data.label = 'Renamed loader'
    await platform.manage('PUT', `/api/v1/chatflows/${flow}`, { flowData: live })
    await bar(mine.tab).getByRole('button', { name: 'Publish', exact: true }).click()
    const stale = mine.tab.getByRole('dialog', { name: 'The live flow was changed meanwhile' })
    await stale.getByText('The live revision 3 by ADMIN_KEY').waitFor()
    await mine.tab.keyboard.press('Escape')
    await mine.tab.reload()
    await bar(mine.tab).getByText('The live drawing was changed since: its revision is 3.').waitFor()
    await bar(mine.tab).getByRole('button', { name: 'Merge' }).click()
    await stale.getByRole('button', { name: 'Save the merged draft' }).click()
    await stale.waitFor({ state: 'detached' })
    await draftSaved(mine.tab)
    await bar(mine.tab).getByRole('button', { name: 'Publish', exact: true }).click()
    await untilEqual(async () => (await flowOf(flow)).revision, 4)
    const { flowData } = await flowOf(flow)
    assert.match(flowData, /Renamed loader/)
    assert.equal(sizeIn(flowData), '300')
    for (const { close } of [mine, theirs]) await close()
  })
}
