import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'

/* `npm run tour` takes the pictures of the tour in the README anew, of a real server with the sample documents. */

const PICTURES = new URL('../../docs/studio/', import.meta.url)
const SAMPLES = new URL('../../examples/documents/', import.meta.url)

const executable = chromiumPath()
assert.ok(executable, 'no Chromium is there: tools/provide.sh installs one')
const platform = await makePlatform()
const files = readdirSync(SAMPLES).map((name) => [name, readFileSync(new URL(name, SAMPLES))] as const)
const loaded = await platform.upload('quickstart', Object.fromEntries(files))
assert.equal(loaded.status, 200, loaded.text)

const browser = await testBrowser(executable)

const TEMPLATES = [
  ['Handbook', 'pdf-knowledge-base'],
  ['Events', 'event-agent'],
  ['Support', 'agent-flow'],
]
for (const [name, template] of TEMPLATES) {
  const made = await platform.manage('POST', '/api/v1/chatflows', { name, template })
  assert.equal(made.status, 200, made.text)
}

test('the tour of the studio', async () => {
  mkdirSync(PICTURES, { recursive: true })
  const { tab, close } = await openStudio(browser, platform, { path: '/flows/quickstart' })

  await tab.locator('.react-flow__node[aria-label="Built-in Vector Store"]').click()
  await tab.getByText('Additional parameters').click()
  await picture(tab, 'canvas')

  await tab.keyboard.press('Alt+t')
  await tab.getByText('node: sluiceTextSplitter').click()
  await tab.keyboard.press('End')
  await tab.keyboard.type('\ninputs:\n  chunkSize: 600')
  await tab.getByRole('button', { name: 'Undo: edit the text' }).waitFor()
  await picture(tab, 'text')
  await tab.getByRole('button', { name: 'Undo: edit the text' }).click()
  await tab.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  await tab.getByRole('button', { name: 'Close the text' }).click()

  await tab.getByRole('button', { name: /^Upsert/ }).click()
  const dialog = tab.getByRole('dialog', { name: /Upsert/ })
  await dialog.locator('input[type=file]').setInputFiles([
    ...files.slice(0, 3).map(([name, buffer]) => ({ name, mimeType: '', buffer })),
    {
      name: 'ferry.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('The ferry to Bergen leaves at noon.'),
    },
  ])
  await dialog.getByRole('button', { name: /^Upsert \d/ }).click()
  await dialog.getByRole('heading', { name: 'Upsert Record' }).waitFor()
  await picture(tab, 'upsert')

  await open(tab, '/flows/quickstart/documents/safety-manual.pdf')
  await tab.getByRole('region', { name: 'Text' }).getByRole('button').nth(2).click()
  await tab.getByText('position', { exact: true }).waitFor()
  await picture(tab, 'document')

  await draftOfSamples()
  await open(tab, '/flows/drafted')
  await tab.getByRole('button', { name: 'What would change' }).click()
  await tab.getByRole('list', { name: 'Stored now' }).getByRole('listitem').first().waitFor()
  await tab.getByRole('list', { name: 'Chunks' }).getByRole('listitem').first().waitFor()
  await picture(tab, 'draft')

  await open(tab, '/flows/quickstart/ask?q=code%20word%20for%20a%20fire')
  await tab.locator('mark').first().waitFor()
  await picture(tab, 'ask')

  const question = { text: 'code word for a fire', judgements: [{ source: 'safety-manual.pdf', grade: 1 }] }
  const added = await platform.manage('POST', '/api/v1/questions/quickstart', { questions: [question] })
  assert.equal(added.status, 200, added.text)
  await open(tab, '/flows/quickstart/questions')
  await tab.getByRole('button', { name: 'Ask them all' }).click()
  await tab.getByRole('region', { name: 'Last run' }).waitFor()
  await picture(tab, 'questions')

  await open(tab, '/flows/quickstart/api?request=query')
  await tab.getByRole('textbox', { name: 'Query', exact: true }).fill('code word for a fire')
  await tab.getByRole('button', { name: 'Run', exact: true }).click()
  await tab.getByText(/^200 in \d+ ms$/).waitFor()
  await picture(tab, 'api')

  await tab.emulateMedia({ colorScheme: 'dark' })
  await open(tab, '/flows')
  await tab.getByRole('link', { name: /^Quickstart/ }).waitFor()
  await picture(tab, 'flows')

  await close()
})

/** A flow with the samples, and a draft that cuts them into smaller chunks. */
async function draftOfSamples(): Promise<void> {
  const path = '/api/v1/chatflows/drafted'
  const quickstart = { name: 'Drafted', slug: 'drafted', template: 'quickstart' }
  await platform.manage('POST', '/api/v1/chatflows', quickstart)
  await platform.manage('PATCH', `${path}/settings`, { set: { originals: 'on' } })
  const kept = await platform.upload('drafted', Object.fromEntries(files))
  assert.equal(kept.status, 200, kept.text)
  const { body } = await platform.manage<{ flowData: string }>('GET', path)
  const drawing = JSON.parse(body.flowData) as {
    nodes: { data: { name: string; inputs: Record<string, unknown> } }[]
  }
  for (const { data } of drawing.nodes) if (data.name === 'sluiceTextSplitter') data.inputs.chunkSize = 600
  const saved = await platform.manage('PUT', `${path}/draft`, { flowData: drawing })
  assert.equal(saved.status, 200, saved.text)
}

const open = (tab: Page, path: string) => tab.goto(platform.url + path)

async function picture(tab: Page, name: string): Promise<void> {
  await tab.waitForLoadState('networkidle')
  await tab.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))')
  const session = await tab.context().newCDPSession(tab)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  await session.detach()
  writeFileSync(new URL(`${name}.webp`, PICTURES), Buffer.from(data, 'base64'))
}
