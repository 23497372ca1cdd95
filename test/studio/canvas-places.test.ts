import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { violations } from '../support/studio/axe.ts'
import { misfits } from '../support/studio/fit.ts'
import { canvasAtRest, openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]
const [, , TELEPHONE] = WINDOWS

if (executable === undefined) {
  test('the places of the parts of the canvas', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const { tab, complaints } = await openStudio(browser, platform, { path: '/flows/quickstart' })
  const node = (id: string) => tab.locator(`.react-flow__node[data-id="${id}"]`)
  const boxOf = async (selector: string) => {
    const box = await tab.locator(selector).boundingBox()
    assert.ok(box, `${selector} is not there`)
    return { ...box, right: box.x + box.width, bottom: box.y + box.height }
  }

  test('the canvas is marked as the open tab while a node is selected', async () => {
    const mark = tab.getByRole('navigation', { name: 'Flow' }).locator('[aria-current=page]')
    await node('fileLoader_0').click()
    await tab.waitForURL(/\?node=fileLoader_0$/)
    await mark.getByText('Canvas').waitFor()
    await tab.getByRole('link', { name: 'Documents' }).click()
    await mark.getByText('Documents').waitFor()
    assert.equal(await mark.count(), 1)
  })

  for (const { width, height } of WINDOWS)
    test(`a link to a node shows the node whole beside its inputs: ${width} pixels`, async () => {
      await tab.setViewportSize({ width, height })
      for (const id of ['sluiceTextSplitter_0', 'builtInVectorStore_0']) {
        await tab.goto(`${platform.url}/flows/quickstart?node=${id}`)
        await tab.locator(`[data-node-form="${id}"]`).waitFor()
        await node(id).waitFor()
        const faults = async () => {
          await canvasAtRest(tab)
          const [card, canvas, panel] = await Promise.all([
            boxOf(`.react-flow__node[data-id="${id}"]`),
            boxOf('.react-flow'),
            boxOf('[data-node-form]'),
          ])
          const isWhole =
            card.x >= canvas.x &&
            card.right <= canvas.right &&
            card.y >= canvas.y &&
            card.bottom <= canvas.bottom
          return [
            ...(isWhole ? [] : ['not whole on the canvas']),
            ...(card.right <= panel.x || card.bottom <= panel.y ? [] : ['under its inputs']),
            ...((await node(id).locator('[data-far]').count()) === 0 ? [] : ['too small to be read']),
          ]
        }
        // The canvas moves to the node once the panel has its width: it may rest before that, too.
        await untilEqual(faults, [], id)
      }
    })

  test('on a telephone nothing on the canvas lies on another, and the green button stays at the top right', async () => {
    const flowData = readFileSync(new URL('../../examples/event-agent.json', import.meta.url), 'utf8')
    const large = JSON.parse(flowData) as { nodes: object[] }
    const { body: quickstart } = await platform.manage<{ flowData: string }>(
      'GET',
      '/api/v1/chatflows/quickstart',
    )
    large.nodes.push(...(JSON.parse(quickstart.flowData) as { nodes: object[] }).nodes)
    const { body } = await platform.manage<{ slug: string }>('POST', '/api/v1/chatflows', {
      name: 'A flow with a name that is much too long for a telephone',
      flowData: large,
    })
    await tab.setViewportSize(TELEPHONE!)
    const parts = [
      'header a',
      'header input',
      'header button[aria-haspopup]',
      'header button[title^=Save]',
      'header button:last-of-type',
      'nav[aria-label=Flow]',
      'button[aria-label="Show the nodes"]',
      '[role=toolbar][aria-label=Canvas]',
      '.react-flow__controls',
      '.react-flow__minimap',
    ]
    for (const address of [body.slug, `${body.slug}?node=builtInVectorStore_0`]) {
      await tab.goto(`${platform.url}/flows/${address}`)
      const upsert = tab.getByRole('button', { name: /^Upsert/ })
      await upsert.waitFor()
      await canvasAtRest(tab)
      const shown = address.includes('node=') ? [...parts, '[data-node-form]'] : parts
      const boxes = await Promise.all(shown.map(async (part) => ({ part, box: await boxOf(part) })))
      const covered = boxes.flatMap(({ part, box }, at) =>
        boxes
          .slice(at + 1)
          .filter(
            ({ box: other }) =>
              box.x < other.right && other.x < box.right && box.y < other.bottom && other.y < box.bottom,
          )
          .map((other) => `${part} and ${other.part}`),
      )
      assert.deepEqual(covered, [])
      const controls = await boxOf('.react-flow__controls')
      for (const card of address.includes('node=') ? [] : await tab.locator('.react-flow__node').all())
        assert.ok((await card.boundingBox())!.x >= controls.right, 'a card is under the zoom buttons')
      const button = (await upsert.boundingBox())!
      assert.ok(button.x + button.width > 390 - 24 && button.x + button.width <= 390 && button.y < 54)
      assert.deepEqual([...(await violations(tab)), ...(await misfits(tab))], [])
    }
    // The lists of nodes cover the canvas, and go when a node was chosen.
    await tab.getByRole('button', { name: 'Close the inputs' }).click()
    await tab.getByRole('button', { name: 'Show the nodes' }).click()
    assert.equal((await boxOf('nav[aria-label=Nodes]')).width, 390)
    await tab.getByRole('button', { name: 'Plain Text', exact: true }).click()
    await tab.getByRole('button', { name: 'Show the nodes' }).waitFor()
    await tab.getByRole('button', { name: 'Close the inputs' }).click()
    await tab.getByRole('button', { name: /^Outline/ }).click()
    assert.equal((await boxOf('nav[aria-label=Outline]')).width, 390)
    await tab
      .getByRole('navigation', { name: 'Outline' })
      .getByRole('button', { name: /^File Loader/ })
      .click()
    await tab.getByRole('navigation', { name: 'Outline' }).waitFor({ state: 'detached' })
    await tab.locator('[data-node-form=fileLoader_0]').waitFor()
    assert.deepEqual(complaints, [])
  })
}
