import assert from 'node:assert/strict'
import { test } from 'node:test'
import { steps } from '../support/agent-drawing.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { focused, openStudio, saved } from '../support/studio.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio marks problems', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)

  const node = (id: string, type: string, inputs: object, at: number) => ({
    id,
    type,
    position: { x: at * 320, y: 0 },
    data: { id, name: id.replace(/_\d+$/, ''), label: `My ${id}`, inputs },
  })
  const makeFlow = async (name: string, nodes: object[], edges: object[] = []) => {
    const body = { name, flowData: { nodes, edges } }
    return (await platform.manage<{ slug: string }>('POST', '/api/v1/chatflows', body)).body.slug
  }

  test('the canvas marks what the server finds; each problem leads to its input, in folded parts too, and goes when it is mended', async () => {
    const slug = await makeFlow(
      'Problems',
      [
        node('startAgentflow_0', 'agentFlow', {}, 0),
        node(
          'agentAgentflow_0',
          'agentFlow',
          {
            agentModel: 'chatOpenAICustom',
            agentModelConfig: { modelName: 'm', baseOptions: '{\n  "a": 1,\n  b: 2\n}' },
            agentTools: [
              { agentSelectedTool: 'currentDateTime', agentSelectedToolConfig: {} },
              {
                agentSelectedTool: 'requestsGet',
                agentSelectedToolConfig: {
                  requestsGetUrl: 'https://example.com',
                  requestsGetMaxOutputLength: 0,
                },
              },
            ],
          },
          1,
        ),
      ],
      steps('startAgentflow_0 > agentAgentflow_0'),
    )
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}` })
    await tab.getByRole('button', { name: 'Outline, 2 problems' }).click()
    const problems = tab.getByRole('region', { name: 'Problems' })
    await problems.getByRole('button', { name: /Max Output Length.*at least 1/ }).click()
    const limit = tab.locator(
      '[data-input="agentTools[1].agentSelectedTool.requestsGetMaxOutputLength"] input',
    )
    await tab
      .locator('[data-input="agentTools[1].agentSelectedTool.requestsGetMaxOutputLength"] input:focus')
      .waitFor()
    await limit.fill('100')
    await tab.getByRole('button', { name: 'Outline, 1 problem', exact: true }).waitFor()

    await problems.getByRole('button', { name: /BaseOptions/ }).click()
    const json = tab.locator('[data-input="agentModel.baseOptions"]')
    await json.getByText('Line 3:').waitFor()
    await json.locator('.cm-content:focus').waitFor()
    // A text that is not valid is kept, also by saving and loading.
    await json.locator('.cm-content').click()
    await tab.keyboard.press('Control+End')
    await tab.keyboard.type(' ')
    await tab.keyboard.press('Control+s')
    await saved(tab)
    await tab.getByText('Saved, but answers will fail', { exact: true }).waitFor()
    await tab.reload()
    await tab.getByRole('button', { name: 'Outline, 1 problem', exact: true }).click()
    await problems.getByRole('button', { name: /BaseOptions/ }).click()
    await json.getByText('b: 2').waitFor()
    await json.locator('.cm-content').click()
    await tab.keyboard.press('Control+a')
    await tab.keyboard.insertText('{"a": 1}')
    await tab.getByRole('button', { name: 'Outline, 0 problems' }).waitFor()
    await tab.getByText('The server finds no problem').waitFor()
    await tab.keyboard.press('Control+s')
    await saved(tab)
    assert.equal(await tab.getByText(/^Saved, but/).count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the canvas marks a missing connection at its plug, and a kind that the server does not have', async () => {
    await makeFlow('Missing', [
      node('builtInVectorStore_0', 'customNode', {}, 0),
      node('milvus_0', 'customNode', {}, 1),
    ])
    const { tab, complaints, close } = await openStudio(browser, platform)
    const row = tab.getByRole('row', { name: /missing/ })
    await row.getByTitle(/nothing is plugged into Embeddings of My builtInVectorStore_0/).click()
    await tab.waitForURL(/\/flows\/missing$/)
    await tab.getByRole('button', { name: 'Outline, 2 problems' }).click()
    const problems = tab.getByRole('region', { name: 'Problems' })
    await problems
      .getByText(/milvus/)
      .first()
      .waitFor()
    await problems.getByRole('button', { name: /nothing is plugged into Embeddings/ }).click()
    await tab.locator('[aria-label="Connect Embeddings"]:focus').waitFor()
    await tab.keyboard.press('Enter')
    await tab.getByRole('menuitem', { name: 'New Built-in Embeddings', exact: true }).press('Enter')
    await tab.getByRole('button', { name: 'Outline, 1 problem', exact: true }).waitFor()
    await tab
      .getByRole('navigation', { name: 'Outline' })
      .getByText('into Embeddings of My builtInVectorStore_0')
      .waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the editor of code takes the place of its text box with the text and the focus', async () => {
    const slug = await makeFlow('Typed early', [node('fileLoader_0', 'customNode', {}, 0)])
    const { tab, complaints, close } = await openStudio(browser, platform)
    await tab.getByRole('row', { name: /Typed early/ }).waitFor()
    const loading = Promise.withResolvers<void>()
    await tab.route(/\/assets\/code-editor[^/]*\.js$/, async (route) => {
      await loading.promise
      await route.continue()
    })
    await tab.goto(`${platform.url}/flows/${slug}?node=fileLoader_0`)
    await tab.getByText('Additional parameters').click()
    const metadata = tab.locator('[data-input="metadata"]')
    await metadata.locator('textarea').click()
    await tab.keyboard.insertText('{"a"')
    loading.resolve()
    await focused(metadata.locator('.cm-content'))
    await tab.keyboard.insertText(': 1}')
    await metadata.locator('.cm-content').getByText('{"a": 1}').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
}
