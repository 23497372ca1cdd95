import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { NodeInputAnswer, NodeKindAnswer } from '../../src/api/node.ts'
import { isPlug } from '../../studio/drawing/node-kinds.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import type { FieldChange } from '../support/studio/field-change.ts'
import { inPage } from '../support/studio/in-page.ts'
import { openStudio, saved } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'
import { AllChanges, type HandChange } from './forms/all-changes.ts'

const changeFields = await inPage<(changes: readonly FieldChange[]) => Promise<string[]>>(
  'change-fields.ts',
  'changeFields',
)

const executable = chromiumPath()

if (executable === undefined) {
  test('the forms of the studio', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const list = (await platform.manage<NodeKindAnswer[]>('GET', '/api/v1/nodes')).body
  const kinds = new Map(list.map((kind) => [kind.name, kind]))
  type CredentialKind = { name: string; inputs: { name: string }[] }
  const credentials = new Map<string, string>()
  for (const { name, inputs } of (
    await platform.manage<CredentialKind[]>('GET', '/api/v1/components-credentials')
  ).body) {
    const plainDataObj = Object.fromEntries(inputs.map((input) => [input.name, 'secret']))
    const body = { name: `My ${name}`, credentialName: name, plainDataObj }
    const made = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', body)
    credentials.set(name, made.body.id)
  }

  const all = new AllChanges(kinds, credentials)

  /** Changes every input of the open form. */
  async function fillForm(tab: Page, panel: Locator, inputs: readonly NodeInputAnswer[]): Promise<void> {
    let together: FieldChange[] = []
    const changeTogether = async () => {
      if (together.length > 0) assert.deepEqual(await tab.evaluate(changeFields, together), [])
      together = []
    }
    for (const change of all.of(inputs)) {
      if (isOfHand(change)) {
        await changeTogether()
        await changeByHand(panel.locator(`[data-input="${change.path}"]`), change)
      } else together.push(change)
    }
    await changeTogether()
  }

  /** The values that the form shows, by their paths: the names of kept files, the number of chosen names, or the text. */
  const shown = (tab: Page): Promise<Record<string, string>> =>
    tab.evaluate(`(() => {
      const texts = {}
      for (const field of document.querySelectorAll('aside [data-input]')) {
        const own = [...field.querySelectorAll('*')].filter((one) => one.closest('[data-input]') === field)
        const code = own.find((one) => one.shadowRoot)?.shadowRoot.querySelector('.cm-content')
        const box = own.find((one) => one.matches('select, textarea, input:not([aria-hidden])'))
        const text = box?.type === 'checkbox' ? String(box.checked) : box?.value
        const named = (start) => own.map((one) => one.getAttribute('aria-label') ?? '').filter((name) => name.startsWith(start))
        const several = box?.type === 'file' ? named('Remove ').join()
          : box?.type === 'search' ? own.find((one) => /^\\d+ chosen$/.test(one.textContent))?.textContent : text
        texts[field.dataset.input] = code?.textContent ?? several ?? ''
      }
      return texts
    })()`)

  const groups = Map.groupBy(list, ({ category }) => category)
  for (const [category, members] of groups)
    test(`every input of every node has a form, and what is set is what the server reads: ${category} [studio:forms]`, async () => {
      const nodes = members.map(({ name, label }, at) => ({
        id: `${name}_0`,
        type: category === 'Agent Flows' ? 'agentFlow' : 'customNode',
        position: { x: (at % 6) * 320, y: Math.floor(at / 6) * 260 },
        data: { id: `${name}_0`, name, label, category, inputs: {} },
      }))
      const stored = await platform.manage<{ slug: string }>('POST', '/api/v1/chatflows', {
        name: category,
        flowData: { nodes, edges: [] },
      })
      const { slug } = stored.body
      const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
      const open = async (node: string): Promise<Locator> => {
        await tab.locator(`.react-flow__node[data-id="${node}"]`).dispatchEvent('click')
        const panel = tab.getByRole('complementary')
        await panel.locator('code').getByText(node, { exact: true }).waitFor()
        return panel
      }
      const before = new Map<string, Record<string, string>>()
      for (const kind of members) {
        const panel = await open(`${kind.name}_0`)
        const inputs = kind.inputs.filter((input) => !isPlug(input))
        await fillForm(tab, panel, inputs)
        before.set(kind.name, await shown(tab))
      }
      await tab.keyboard.press('Control+s')
      await saved(tab)
      await tab.reload()
      for (const { name } of members) {
        const panel = await open(`${name}_0`)
        await panel.locator('.cm-content').or(panel).first().waitFor()
        for (let summaries = await closed(panel); summaries.length > 0; summaries = await closed(panel))
          await summaries[0]!.click()
        const wanted = before.get(name)!
        if (Object.keys(wanted).length > 0) await waitForCode(panel)
        await untilEqual(() => shown(tab), wanted, name)
      }
      type Problem = { nodeId: string; input: string | null; code: string; message: string }
      const { body } = await platform.manage<{ problems: Problem[] }>('POST', '/api/v1/flows/validate', {
        flow: slug,
      })
      // Texts are read as they are; that those of the test are no addresses and no languages is right.
      const wrong = body.problems.filter(
        ({ code, message }) =>
          code === 'input_invalid' &&
          /expected/.test(message) &&
          !/Invalid URL|begins with http|names of languages/.test(message),
      )
      assert.deepEqual(wrong, [])
      assert.deepEqual(
        complaints.filter((line) => !/Failed to load resource/.test(line)),
        [],
      )
      await close()
    })
}

const isOfHand = (change: FieldChange | HandChange): change is HandChange =>
  ['file', 'asked', 'several'].includes(change.kind)

async function changeByHand(field: Locator, { kind, value }: HandChange): Promise<void> {
  for (const summary of await field.locator('xpath=ancestor::details[not(@open)]/summary').all())
    await summary.click()
  const own = field.locator('textarea, input').first()
  if (kind === 'asked') return own.fill(value)
  if (kind === 'several') {
    await own.focus()
    return field.getByRole('checkbox').first().check()
  }
  await field.locator('input[type=file]').setInputFiles({
    name: 'api.yaml',
    mimeType: 'text/yaml',
    buffer: Buffer.from(
      "openapi: 3.0.0\nservers: [{ url: 'https://a.example' }]\npaths: { /a: { get: { operationId: listA } } }",
    ),
  })
  // The browser reads the file before the form keeps it.
  return field.getByRole('button', { name: 'Remove api.yaml', exact: true }).waitFor()
}

const closed = (panel: Locator) => panel.locator('details:not([open]) > summary').all()

/** The editor of code is loaded when it is first needed: a plain text box stands in its place before. */
async function waitForCode(panel: Locator): Promise<void> {
  await panel.locator('textarea[autocapitalize=off]').first().waitFor({ state: 'detached' })
}
