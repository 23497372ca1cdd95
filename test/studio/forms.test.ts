import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { NodeInputAnswer, NodeKindAnswer } from '../../src/api/node.ts'
import { isPlug } from '../../studio/drawing/node-kinds.ts'
import { selectableKinds } from '../../studio/drawing/parts-within.ts'
import { visibleInputs } from '../../studio/drawing/visible-inputs.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio, saved } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

/** Inputs of JSON that take a list of objects. */
const LISTS = new Set(['examples'])

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

  type Values = Record<string, unknown>

  /** The kinds that were walked as a part of another node: the same part behaves alike in the next one, where one input is enough. */
  const walkedWithin = new Set<string>()

  async function setValue(tab: Page, field: Locator, input: NodeInputAnswer, path: string): Promise<void> {
    const own = field.locator('select, textarea, input, .cm-content').first()
    if (input.loadMethod !== undefined) {
      if (!input.list) return own.fill(`typed ${input.name}`)
      await own.focus()
      return field.getByRole('checkbox').first().check()
    }
    switch (input.type) {
      case 'boolean':
        return own.setChecked(String(input.default) !== 'true')
      case 'number': {
        const { min, max, default: usual } = input
        const candidates = [1, 2, 0.5, min, max].filter((one) => one !== undefined && one !== null)
        const fits = (one: number) => one !== usual && one >= (min ?? -Infinity) && one <= (max ?? Infinity)
        return own.fill(String(candidates.find(fits)))
      }
      case 'options':
        await own.selectOption(optionOf(input))
        return
      case 'credential':
        await own.selectOption(credentials.get(input.options![0]!.name)!)
        return
      case 'file':
        await field.locator('input[type=file]').setInputFiles({
          name: 'api.yaml',
          mimeType: 'text/yaml',
          buffer: Buffer.from(
            "openapi: 3.0.0\nservers: [{ url: 'https://a.example' }]\npaths: { /a: { get: { operationId: listA } } }",
          ),
        })
        // The browser reads the file before the form keeps it.
        return field.getByRole('button', { name: 'Remove api.yaml', exact: true }).waitFor()
      case 'json':
      case 'code':
        return typeCode(
          tab,
          field,
          input.language === 'javascript'
            ? `return 'of ${path}'`
            : LISTS.has(input.name)
              ? `[{"of": "${path}"}]`
              : `{"of": "${path}"}`,
        )
      default:
        if (input.language !== undefined) return typeCode(tab, field, `{"of": "${path}"}`)
        return own.fill(`text of ${path}`)
    }
  }

  /** Types into the editor of code. A plain text box has its place until it is loaded. */
  async function typeCode(tab: Page, field: Locator, text: string): Promise<void> {
    await field.locator('.cm-content').click()
    await field.locator('.cm-content:focus').waitFor()
    await tab.keyboard.insertText(text)
  }

  /** Changes every input of a form: of a node, of a part within it, or of a row. */
  async function fillForm(
    tab: Page,
    scope: Locator,
    inputs: readonly NodeInputAnswer[],
    prefix = '',
    depth = 0,
  ): Promise<void> {
    const values: Values = {}
    const seen = new Set<string>()
    const field = (name: string) => scope.locator(`[data-input="${prefix}${name}"]`)
    for (const details of await scope.locator('details:not([open]) > summary').all()) await details.click()
    // A changed value may show more inputs.
    for (;;) {
      const next = visibleInputs(inputs as NodeInputAnswer[], values as never).find(
        ({ name }) => !seen.has(name),
      )
      if (!next) break
      seen.add(next.name)
      const path = `${prefix}${next.name}`
      if (next.selects !== undefined) {
        const part = selectableKinds(kinds, next).at(depth === 0 ? 0 : -1)!
        await field(next.name).locator('select').first().selectOption(part.name)
        const form = field(next.name).locator('fieldset').first()
        await form.waitFor()
        const own = part.inputs.filter((one) => !isPlug(one))
        const wanted = walkedWithin.has(part.name) ? own.slice(0, 1) : own
        walkedWithin.add(part.name)
        // Each part is walked as a node of its own; within nodes one level of it is enough.
        if (depth < 2) await fillForm(tab, form, wanted, `${path}.`, depth + 1)
      } else if (next.type === 'array') {
        await field(next.name)
          .getByRole('button', { name: `Add a row to ${next.label}`, exact: true })
          .click()
        const row = field(next.name).locator('fieldset').first()
        await fillForm(tab, row, next.array as NodeInputAnswer[], `${path}[0].`, depth + 1)
      } else await setValue(tab, field(next.name), next, path)
      if (next.type === 'boolean') values[next.name] = String(next.default) !== 'true'
      if (next.type === 'options')
        values[next.name] = await field(next.name).locator('select').first().inputValue()
    }
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

/** Another option than the default; with the option `file` the description of an API is the file of the form. */
const optionOf = ({ options = [], default: usual }: NodeInputAnswer): string =>
  (
    options.find(({ name }) => name === 'file') ??
    options.findLast(({ name }) => name !== usual) ??
    options[0]!
  ).name

const closed = (panel: Locator) => panel.locator('details:not([open]) > summary').all()

/** The editor of code is loaded when it is first needed: a plain text box stands in its place before. */
async function waitForCode(panel: Locator): Promise<void> {
  await panel.locator('textarea[autocapitalize=off]').first().waitFor({ state: 'detached' })
}
