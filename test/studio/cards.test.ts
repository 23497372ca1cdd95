import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { NodeKindAnswer } from '../../src/api/node.ts'
import { cardSize } from '../../studio/drawing/card-size.ts'
import { isObject, readFlowFile } from '../../studio/drawing/flow-file.ts'
import { drawGraph } from '../../studio/drawing/graph.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { canvasAtRest, openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()
const corpus = process.env.SLUICE_CORPUS

if (executable === undefined) {
  test('the cards of the canvas', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const { tab, complaints } = await openStudio(browser, platform, { path: '/flows/quickstart' })
  // Signed in: another address before that would lose the code.
  await tab.locator('.react-flow__node').first().waitFor()

  const open = async (slug: string) => {
    await tab.goto(`${platform.url}/flows/${slug}`)
    await tab.locator('.react-flow__node').first().waitFor()
    await canvasAtRest(tab)
  }
  const card = (label: string) => tab.locator(`.react-flow__node[aria-label="${label}"]`)
  const linesOf = (label: string) =>
    each<string[]>(
      tab,
      `.react-flow__node[aria-label="${label}"] dl > div`,
      '[...one.children].map((part) => part.textContent).concat(one.dataset.default)',
    )

  test('a card shows its main inputs with their units, defaults apart from what is set', async () => {
    await open('quickstart')
    const splitter = 'Sluice Text Splitter'
    assert.deepEqual(await linesOf(splitter), [
      ['Chunk Size', '1000 characters', 'true'],
      ['Chunk Overlap', '200 characters', 'true'],
    ])
    const colour = async () =>
      (
        await each<string>(
          tab,
          `.react-flow__node[aria-label="${splitter}"] dd`,
          'getComputedStyle(one).color',
        )
      )[0]
    const grey = await colour()
    await card(splitter).click()
    await tab.getByLabel('Chunk Size (characters)', { exact: true }).fill('600')
    await untilEqual(async () => (await linesOf(splitter))[0], ['Chunk Size', '600 characters', 'false'])
    assert.notEqual(await colour(), grey)
    await tab.getByRole('button', { name: 'Undo: change Chunk Size of Sluice' }).click()
    await tab.getByRole('button', { name: 'Close the inputs' }).click()
  })

  test('a line is named by the labels of its ends and its input', async () => {
    await open('quickstart')
    const name = 'Sluice Text Splitter → File Loader: Text Splitter'
    const line = tab.getByRole('img', { name, exact: true })
    assert.equal(await line.count(), 1)
    assert.equal(await line.locator('title').textContent(), name)
    const names = await each<string>(tab, '.react-flow__edge', 'one.ariaLabel')
    assert.deepEqual(
      names.filter((one) => /_\d/.test(one)),
      [],
    )
    await card('File Loader').click()
    await tab.getByRole('button', { name: 'Disconnect Sluice' }).click()
    await tab.getByRole('button', { name: `Undo: disconnect ${name}` }).click()
  })

  test('from far away a card is its icon and title, as large as before, and its lines stay where they are', async () => {
    await open('quickstart')
    const paths = () =>
      each<number[]>(tab, '.react-flow__edge-path', "one.getAttribute('d').match(/[-.0-9]+/g).map(Number)")
    const sizes = () =>
      each<[number, number]>(tab, '.react-flow__node', '[one.offsetWidth, one.offsetHeight]')
    const [near, nearSizes] = [await paths(), await sizes()]
    assert.equal(await tab.locator('[data-far]').count(), 0)
    for (let press = 0; press < 8; press++) await tab.getByRole('button', { name: 'Zoom Out' }).click()
    await tab.locator('[data-far]').first().waitFor()
    await canvasAtRest(tab)
    const nodes = await tab.locator('.react-flow__node').count()
    assert.equal(await tab.locator('[data-far]').count(), nodes)
    assert.equal(await tab.locator('[data-far] svg').count(), nodes)
    assert.equal(await tab.locator('.react-flow__node :is(dl, ul, li)').count(), 0)
    await tab.locator('[data-far]').getByText('File Loader', { exact: true }).waitFor()
    assert.deepEqual(await sizes(), nearSizes)
    const far = await paths()
    assert.equal(far.length, near.length)
    const moved = far.filter((line, at) =>
      line.some((number, part) => Math.abs(number - near[at]![part]!) > 3),
    )
    assert.deepEqual(moved, [])
    // A card that is drawn first from far away has its lines, too.
    await tab.getByLabel('Search nodes').fill('reranker custom')
    await tab.getByLabel('Search nodes').press('Enter')
    await card('Reranker Custom').waitFor()
    await card('Built-in Vector Store').click()
    await tab.getByRole('button', { name: 'Connect Reranker', exact: true }).click()
    await tab.getByRole('menuitem', { name: 'Reranker Custom', exact: true }).click()
    await tab.getByRole('img', { name: 'Reranker Custom → Built-in Vector Store: Reranker' }).waitFor()
    for (let press = 0; press < 8; press++) await tab.getByRole('button', { name: 'Zoom In' }).click()
    await tab.locator('[data-far]').first().waitFor({ state: 'detached' })
    await card('Sluice Text Splitter').locator('dl').waitFor()
  })

  test('each kind of step has its icon', async () => {
    const { body: kinds } = await platform.manage<NodeKindAnswer[]>('GET', '/api/v1/nodes')
    const steps = kinds.filter(({ category }) => category === 'Agent Flows')
    const nodes = steps.map(({ name }, at) => ({
      id: `${name}_0`,
      type: 'agentFlow',
      position: { x: (at % 4) * 260, y: Math.floor(at / 4) * 220 },
      data: { name, inputs: {} },
    }))
    const slug = await made('All steps', { nodes, edges: [] }, 'AGENTFLOW')
    await open(slug)
    const icons = await each<string>(
      tab,
      '.react-flow__node',
      "one.querySelector('svg').getAttribute('class')",
    )
    assert.ok(!icons.some((icon) => /lucide-box\b/.test(icon)), `${icons}`)
    assert.equal(new Set(icons).size, steps.length)
  })

  const EXAMPLES = new URL('../../examples/', import.meta.url)
  const drawings = [
    ...['quickstart', 'pdf-knowledge-base', 'website', 'event-agent', 'openapi-agent', 'agent-flow'].map(
      (template) => ({ name: `the template ${template}`, body: { template } as object }),
    ),
    {
      name: 'the example event-agent.json',
      body: { flowData: readText(new URL('event-agent.json', EXAMPLES)) },
    },
    ...(corpus === undefined
      ? []
      : readdirSync(path.join(corpus, 'flows'))
          .filter((file) => file.endsWith('.json'))
          .map((file) => ({
            name: `${file} without places`,
            body: { flowData: withoutPlaces(readText(path.join(corpus, 'flows', file))) },
          }))),
  ]

  test('no card lies on another, as it is opened and after tidying up, and layouts count with their true heights', async () => {
    const { body: answer } = await platform.manage<NodeKindAnswer[]>('GET', '/api/v1/nodes')
    const kinds = new Map(answer.map((kind) => [kind.name, kind]))
    for (const { name, body } of drawings) {
      const { body: flow } = await platform.manage<{ slug: string; flowData: string }>(
        'POST',
        '/api/v1/chatflows',
        { name, ...body },
      )
      await open(flow.slug)
      assert.deepEqual(await overlaps(tab), [], name)
      const drawn = new Map(await sizesOf(tab))
      for (const node of drawGraph(readFlowFile(flow.flowData), kinds).nodes) {
        const [expected, height] = [cardSize(node).height, drawn.get(node.id)!]
        assert.ok(
          expected >= height && expected - height <= 17 + (node.shape === 'note' ? 200 : 0),
          `${name}: ${node.label} has ${height} pixels, not ${expected}`,
        )
      }
      await tab.getByRole('button', { name: 'Tidy up the canvas' }).click()
      await canvasAtRest(tab)
      assert.deepEqual(await overlaps(tab), [], `${name}, tidied up`)
    }
    assert.deepEqual(complaints, [])
  })

  async function made(name: string, flowData: object, type = 'CHATFLOW'): Promise<string> {
    const body = { name, type, flowData }
    return (await platform.manage<{ slug: string }>('POST', '/api/v1/chatflows', body)).body.slug
  }
}

function readText(file: string | URL): string {
  return readFileSync(file, 'utf8')
}

function withoutPlaces(text: string): string {
  const file = readFlowFile(text)
  const nodes = file.nodes.map((node) => {
    if (!isObject(node)) return node
    const { position: _, positionAbsolute: __, ...rest } = node
    return rest
  })
  return JSON.stringify({ ...file, nodes })
}

/** Pairs of cards that lie on one another; a step in an iteration lies on its frame. */
const overlaps = (tab: Page): Promise<string[]> =>
  tab.evaluate(`(() => {
    const cards = [...document.querySelectorAll('.react-flow__node')]
      .filter((card) => !card.querySelector('[data-frame=true]'))
      .map((card) => ({ name: card.ariaLabel, box: card.getBoundingClientRect() }))
    return cards.flatMap((one, at) => cards.slice(at + 1).flatMap((other) =>
      one.box.left < other.box.right && other.box.left < one.box.right &&
      one.box.top < other.box.bottom && other.box.top < one.box.bottom
        ? [one.name + ' and ' + other.name] : []))
  })()`)

const sizesOf = (tab: Page) =>
  each<[string, number]>(tab, '.react-flow__node', '[one.dataset.id, one.offsetHeight]')

/** A fact of each element in the page: an expression of `one`. */
const each = <Fact>(tab: Page, selector: string, fact: string): Promise<Fact[]> =>
  tab.evaluate(`[...document.querySelectorAll('${selector}')].map((one) => ${fact})`)
