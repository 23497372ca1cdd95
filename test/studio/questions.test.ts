import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { QuestionPageAnswer } from '../../src/api/question.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

/** The tab Questions, and right and wrong hits in Ask (issue "See why, change it, know that it got better", point 4). */

const executable = chromiumPath()
const pictures = process.env.SLUICE_SCREENSHOTS
if (pictures) mkdirSync(pictures, { recursive: true })
const picture = async (tab: Page, name: string) => {
  if (pictures) await tab.screenshot({ path: path.join(pictures, `${name}.png`) })
}

if (executable === undefined) {
  test('the studio keeps questions', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const [platform, browser] = await Promise.all([makePlatform(), testBrowser(executable)])
  const stored = await platform.upload('quickstart', {
    'ferry.txt':
      'The ferry to Bergen leaves at noon from the second pier. Dogs are welcome on the upper deck.',
    'tea.txt': 'Water for green tea has eighty degrees, and the leaves stay in it for two short minutes.',
  })
  assert.equal(stored.status, 200, stored.text)
  const questions = async () =>
    (await platform.manage<QuestionPageAnswer>('GET', '/api/v1/questions/quickstart')).body.data
  const judged = async () =>
    (await questions()).map(({ text, judgements }) => [
      text,
      ...judgements.map(({ source, grade }) => `${source} ${grade}`),
    ])

  test('hits are judged by mouse and by keys, with a way back, and a passage can be picked', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: '/flows/quickstart/ask?view=search&q=When%20does%20the%20ferry%20leave%3F',
    })
    const asked = 'When does the ferry leave?'
    const first = tab.getByRole('article', { name: 'Chunk 1' })
    const right = first.getByRole('button', { name: 'Right answer' })
    await right.click()
    await tab.getByText('Kept as a right answer').waitFor()
    await untilEqual(judged, [[asked, 'ferry.txt 1']])
    await untilEqual(() => right.getAttribute('aria-pressed'), 'true')
    await picture(tab, 'questions-judged')
    await tab.getByRole('button', { name: 'Undo' }).click()
    await untilEqual(judged, [])
    // The page has the answer later than the server: until then the key would take the judgement back.
    await untilEqual(() => right.getAttribute('aria-pressed'), 'false')

    await first.getByRole('button', { name: 'Wrong' }).focus()
    await tab.keyboard.press('g')
    await untilEqual(judged, [[asked, 'ferry.txt 1']])
    await tab.keyboard.press('b')
    await untilEqual(judged, [[asked, 'ferry.txt 0']])
    await untilEqual(() => first.getByRole('button', { name: 'Wrong' }).getAttribute('aria-pressed'), 'true')
    await tab.keyboard.press('b')
    await untilEqual(judged, [[asked]])
    // In a text a letter is a letter.
    await tab.getByRole('textbox', { name: 'Question' }).press('g')
    await untilEqual(judged, [[asked]])

    await tab.getByRole('button', { name: 'None is right: pick in a document' }).press('Enter')
    const dialog = tab.getByRole('dialog', { name: 'Pick the right answer' })
    await dialog.getByRole('searchbox', { name: 'Words of the passage' }).fill('second pier')
    await tab.keyboard.press('Enter')
    await dialog.getByText('1 chunk has such words').waitFor()
    await picture(tab, 'questions-pick')
    await dialog.getByRole('button', { name: 'Right answer' }).press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await untilEqual(judged, [[asked, 'ferry.txt 1']])
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the tab asks the questions, shows what became worse, and takes proposals and files', async () => {
    const judgements = [{ source: 'ferry.txt', grade: 1 }]
    const added = await platform.manage('POST', '/api/v1/questions/quickstart', {
      questions: [{ text: 'When does the ferry leave?', judgements }],
    })
    assert.equal(added.status, 200, added.text)
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: '/flows/quickstart/questions',
    })
    await tab.getByRole('heading', { name: '1 question' }).waitFor()
    await tab.getByText('Under 30 questions').waitFor()
    await tab.getByRole('button', { name: 'Ask them all' }).press('Enter')
    const figures = tab.getByRole('region', { name: 'Last run' })
    await figures.getByText('100 %').waitFor()
    await figures.getByText('The first run').waitFor()

    await tab.getByRole('button', { name: 'Import' }).click()
    const dialog = tab.getByRole('dialog', { name: 'Import questions' })
    const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await dialog
      .locator('input[type=file]')
      .setInputFiles([
        file('queries.jsonl', '{"_id":"1","text":"How hot is water for tea?"}\n{"_id":"2","text":"Lost?"}\n'),
        file('qrels.tsv', '1\ttea.txt\t1\n2\tlost.pdf\t1\n'),
      ])
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByText('1 new question').waitFor()
    await dialog.getByText('lost.pdf').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await tab.getByRole('heading', { name: '2 questions' }).waitFor()

    const filter = await platform.manage('PATCH', '/api/v1/chatflows/quickstart/settings', {
      set: { filter: '{"source":"tea.txt"}' },
    })
    assert.equal(filter.status, 200, filter.text)
    await platform.manage('POST', '/api/v1/questions/quickstart', {
      questions: [
        { text: 'What was removed?', judgements: [{ source: 'gone.txt', grade: 1 }] },
        { text: 'Who judges?' },
      ],
    })
    await tab.reload()
    await tab.getByRole('heading', { name: '4 questions' }).waitFor()
    await tab.getByRole('button', { name: 'Ask them all' }).click()
    await figures.getByText(/1 worse, 0 better/).waitFor()
    await figures
      .getByText(/1 question judged by documents that are gone, 1 question without a right answer/)
      .waitFor()
    const rows = tab.getByRole('region', { name: 'Questions and results' }).getByRole('row')
    await rows.nth(1).getByText('When does the ferry leave?').waitFor()
    await rows.nth(1).getByText('worse').waitFor()
    await tab.getByText('gone: gone.txt').waitFor()
    await tab.getByRole('img', { name: /nDCG@10 of 2 runs/ }).waitFor()
    await picture(tab, 'questions')
    await tab.emulateMedia({ colorScheme: 'dark' })
    await picture(tab, 'questions-dark')
    await tab.getByText(/^Not counted 2$/).click()
    await untilEqual(() => rows.count(), 3)
    await tab.getByText(/^All 4$/).click()

    await tab.getByRole('button', { name: 'Remove Who judges?' }).click()
    await untilEqual(async () => (await questions()).length, 3)
    await tab.getByRole('button', { name: 'Undo' }).click()
    await untilEqual(async () => (await questions()).length, 4)

    await tab.getByRole('button', { name: 'Propose' }).click()
    const proposals = tab.getByRole('region', { name: 'Proposals' })
    await proposals.getByText('They may warn, and never choose').waitFor()
    const before = (await questions()).filter(({ state }) => state === 'proposed').length
    await proposals
      .getByRole('button', { name: /^Accept / })
      .first()
      .press('Enter')
    await untilEqual(
      async () => (await questions()).filter(({ state }) => state === 'proposed').length,
      before - 1,
    )
    await picture(tab, 'questions-proposals')
    await proposals
      .getByRole('button', { name: 'Refuse all' })
      .press('Enter')
      .catch(() => undefined)
    await proposals.waitFor({ state: 'hidden' })
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a flow without questions says how to begin', async () => {
    const flow = await platform.flow({ name: 'Empty' })
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${flow}/questions`,
    })
    await tab.getByRole('heading', { name: 'No questions yet' }).waitFor()
    assert.equal(await tab.getByRole('button', { name: 'Ask them all' }).isDisabled(), true)
    await tab.getByRole('link', { name: 'To Ask' }).click()
    await tab.waitForURL(/\/ask/)
    assert.deepEqual(complaints, [])
    await close()
  })
}
