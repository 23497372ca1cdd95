import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()
const pictures = process.env.SLUICE_SCREENSHOTS
if (pictures) mkdirSync(pictures, { recursive: true })
const picture = async (tab: Page, name: string) => {
  if (!pictures) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme })
    await tab.screenshot({ path: path.join(pictures, `${name}-${colorScheme}.png`) })
  }
}

if (executable === undefined) {
  test('the studio explains hits', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const [platform, browser] = await Promise.all([makePlatform(), testBrowser(executable)])
  const files = Object.fromEntries(
    ['ferry', 'train', 'bus', 'boat', 'plane', 'tram', 'bicycle'].map((what, at) => [
      `${what}.txt`,
      `The ${what} to Bergen leaves at ${at + 1} o’clock from the harbour.`,
    ]),
  )
  const stored = await platform.upload('quickstart', files)
  assert.equal(stored.status, 200, stored.text)
  const ask = '/flows/quickstart/ask?view=search&q=When%20does%20the%20ferry%20to%20Bergen%20leave%3F'

  test('Why? opens the sum of a score, the words and the next hit; Escape closes it, and the address opens it again [studio:ask, query:explain]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: ask })
    const first = tab.getByRole('article', { name: 'Chunk 1' })
    const why = first.getByRole('button', { name: 'Why?' })
    await why.waitFor()
    await why.focus()
    await tab.keyboard.press('Enter')
    const drawer = tab.getByRole('complementary', { name: 'Why this chunk is first' })
    await drawer.getByText(/^It has .* words of the question, the rarest “ferry” in 1 of 7 texts/).waitFor()
    const shown = async (rows: string) =>
      (await drawer.locator(`table >> nth=0 >> ${rows} >> td:nth-child(4)`).allTextContents()).map((text) =>
        Math.round(Number(text.replace('−', '-')) * 1000),
      )
    const parts = await shown('tbody tr')
    assert.ok(parts.length >= 5)
    const [sum] = await drawer.locator('tfoot td').first().allTextContents()
    assert.equal(
      parts.reduce((all, one) => all + one, 0),
      Math.round(Number(sum) * 1000),
    )
    await drawer.getByRole('row', { name: /^ferry 1 of 7 1×/ }).waitFor()
    await drawer.getByRole('row', { name: /not counted: too common/ }).waitFor()
    await drawer.getByRole('heading', { name: 'Against hit 2' }).waitFor()
    await picture(tab, 'ask-why')
    await tab.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await untilEqual(() => why.evaluate((button) => button === button.ownerDocument.activeElement), true)

    await tab.goto(new URL(`${ask}&hit=2&why`, tab.url()).href)
    await tab.getByRole('complementary', { name: 'Why this chunk is hit 2' }).waitFor()
    await tab.goto(new URL(`${ask}&hit=99&why`, tab.url()).href)
    await tab.getByText('The answer has no such hit.').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('what came just below the cut is named, opens to all of it, and is searched for [studio:ask, query:explain]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `${ask}&topK=2` })
    const below = tab.getByRole('region', { name: 'Cut off below' })
    await below.getByText(/^Cut off below: 3\. \S+ \(0\.\d{3}\) · 4\. .* · …$/).waitFor()
    const more = below.getByRole('button', { name: 'Show the next 5' })
    await more.press('Enter')
    const rows = below.getByRole('list', { name: 'Chunks below the cut' }).getByRole('listitem')
    await untilEqual(() => rows.count(), 5)
    await rows.last().getByText('o’clock from the harbour.').waitFor()
    await picture(tab, 'ask-below')
    const places = await below.getByRole('link').allTextContents()
    await below.getByRole('button', { name: 'Search for 7 chunks' }).press('Enter')
    await tab.getByRole('article', { name: 'Chunk 7' }).waitFor()
    await below.waitFor({ state: 'detached' })
    const sources = await tab.getByRole('article').getByRole('link').allTextContents()
    assert.deepEqual(sources.slice(2), places)

    // With one side the other one has no row.
    await tab.goto(new URL(`${ask}&mode=vector&hit=1&why`, tab.url()).href)
    const drawer = tab.getByRole('complementary', { name: 'Why this chunk is first' })
    await drawer.getByRole('rowheader', { name: 'Meaning' }).waitFor()
    assert.equal(await drawer.getByRole('rowheader', { name: 'Words', exact: true }).count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('Where is my document? says what left it out, and searches with the change that shows it [studio:ask, query:expect]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `${ask}&topK=1` })
    await tab.getByRole('button', { name: 'Where is my document?' }).click()
    const box = tab.getByRole('combobox', { name: 'Document, or id of a chunk' })
    await untilEqual(() => box.evaluate((input) => input === input.ownerDocument.activeElement), true)
    await box.fill('tram.txt')
    await tab.keyboard.press('Enter')
    const region = tab.getByRole('region', { name: 'Where is my document?' })
    await region.getByText(/It is hit \d with topK \d instead of 1/).waitFor()
    await region.getByRole('link', { name: 'tram.txt' }).waitFor()
    await picture(tab, 'ask-missing')
    await region.getByRole('button', { name: 'Search so' }).click()
    await region.getByText(/^It is hit \d\.$/).waitFor()
    await untilEqual(() => new URL(tab.url()).searchParams.get('expect'), 'tram.txt')

    await box.fill('no-such.txt')
    await region.getByRole('button', { name: 'Look' }).click()
    await region.getByText('No chunk with this name is stored, or none that this query may find.').waitFor()
    await picture(tab, 'ask-missing-not-stored')
    await box.press('Escape')
    await region.waitFor({ state: 'detached' })
    await untilEqual(() => new URL(tab.url()).searchParams.get('expect'), null)

    await tab.route('**/vector/query/**', (route) =>
      route.request().postData()?.includes('"expect"')
        ? route.fulfill({
            status: 502,
            contentType: 'application/json',
            body: JSON.stringify({ code: 'provider_failed', message: 'The reranker failed.' }),
          })
        : route.continue(),
    )
    await tab.goto(new URL(`${ask}&expect=bus.txt`, tab.url()).href)
    await tab.getByText('The document could not be looked for').waitFor()
    await tab.getByText('The reranker failed.').waitFor()
    assert.deepEqual(
      complaints.filter((text) => !text.includes('502')),
      [],
    )
    await close()
  })
}
