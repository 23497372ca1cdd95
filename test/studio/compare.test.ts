import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { comparedDocuments, comparedFlow } from '../support/compared-flow.ts'
import { heldFlow } from '../support/held-flow.ts'
import { makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

/** Variants side by side (issue "See why, change it, know that it got better", point 5). */

const executable = chromiumPath()
const pictures = process.env.SLUICE_SCREENSHOTS
if (pictures) mkdirSync(pictures, { recursive: true })
const picture = async (tab: Page, name: string) => {
  if (!pictures) return
  await tab.screenshot({ path: path.join(pictures, `${name}.png`) })
  await tab.emulateMedia({ colorScheme: 'dark' })
  await tab.screenshot({ path: path.join(pictures, `${name}-dark.png`) })
  await tab.emulateMedia({ colorScheme: 'light' })
}

if (executable === undefined) {
  test('the studio compares variants', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const [platform, browser, provider] = await Promise.all([
    makePlatform(),
    testBrowser(executable),
    startProviderServer(),
  ])
  after(() => provider.close())

  test('two variants are compared by keyboard, a row opens both hits with the cut, and the variant goes into the drawing [compare:studio]', async () => {
    const flow = await comparedFlow(platform)
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${flow}/questions`,
    })
    await tab.getByRole('link', { name: 'Compare variants' }).press('Enter')
    await tab.getByRole('heading', { name: 'Compare variants' }).waitFor()
    await tab.getByText('Nothing was compared yet').waitFor()
    const input = tab.getByLabel('Compare with: input')
    const option = input.locator('option', { hasText: 'Chunk Size' }).first()
    await input.selectOption((await option.getAttribute('value'))!)
    await tab.getByLabel('Compare with: value').fill('60')
    await tab.keyboard.press('Enter')
    const result = tab.getByRole('region', { name: 'Result' })
    await result
      .getByRole('status')
      .getByText(/is better: \+|is unlikely|Cannot tell/)
      .waitFor()
    await result.getByText('Chunk Size 400 → 60', { exact: false }).waitFor()
    await result.getByRole('button', { name: 'All 32' }).waitFor()
    await picture(tab, 'compare')

    const question = result.getByRole('button', { name: 'When is the heron looked after?' })
    await question.press('Enter')
    await untilEqual(() => question.getAttribute('aria-expanded'), 'true')
    await result.getByTitle('the other variant was cut here').first().waitFor()
    await picture(tab, 'compare-row')
    await result.getByRole('button', { name: 'Use this' }).press('Enter')
    await tab.locator('.react-flow__node.selected').waitFor()
    await untilEqual(() => tab.getByRole('textbox', { name: 'Chunk Size' }).inputValue(), '60')
    await tab.getByRole('region', { name: 'Changed settings' }).getByText('is not live').waitFor()
    await tab.getByRole('button', { name: 'Compare', exact: true }).click()
    await tab.getByRole('option', { name: 'This drawing, not live' }).first().waitFor({ state: 'attached' })
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a comparison that runs can be cancelled, and one that cannot be made says why [compare:studio]', async () => {
    const slug = await heldFlow(platform.manage, provider, 'Held comparison')
    assert.equal((await platform.upload(slug, comparedDocuments(2))).status, 200)
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}/compare` })
    await tab.getByRole('button', { name: 'Compare', exact: true }).press('Enter')
    await tab.getByRole('alert').getByText('no accepted question').waitFor()
    await platform.manage('POST', `/api/v1/questions/${slug}`, {
      questions: [
        { text: 'When is the heron looked after?', judgements: [{ source: 'heron.txt', grade: 1 }] },
      ],
    })
    provider.hold(0)
    await tab.getByRole('button', { name: 'Compare', exact: true }).press('Enter')
    const progress = tab.getByRole('region', { name: 'Progress' })
    await progress.waitFor()
    await picture(tab, 'compare-running')
    await progress.getByRole('button', { name: 'Cancel' }).press('Enter')
    await tab.getByText('This comparison was cancelled').waitFor()
    provider.release()
    // The refusal of the first attempt is a 422 of the server.
    assert.deepEqual(
      complaints.filter((one) => !/422/.test(one)),
      [],
    )
    await close()
  })
}
