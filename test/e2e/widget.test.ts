import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromiumPath, NO_BROWSER, openBrowser } from '../support/browser.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawDocumentChat } from '../support/document-chat.ts'
import { makePlatform } from '../support/platform.ts'
import { until } from '../support/until.ts'

const WIDGET = fileURLToPath(import.meta.resolve('flowise-embed/dist/web.js'))
const executable = chromiumPath()

/** A page of another origin that embeds the widget as its documentation shows it. */
async function startPage(flow: string, apiHost: string): Promise<string> {
  const html = `<!doctype html><html><body><flowise-fullchatbot></flowise-fullchatbot><script type="module">
    import Chatbot from './web.js'
    Chatbot.initFull({ chatflowid: '${flow}', apiHost: '${apiHost}' })
  </script></body></html>`
  const server = createServer((request, response) => {
    if (request.url === '/web.js') {
      response.setHeader('content-type', 'text/javascript')
      createReadStream(WIDGET).pipe(response)
    } else response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

if (executable === undefined) {
  test('flowise-embed holds a conversation in a browser', { skip: NO_BROWSER })
} else {
  const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
  after(() => model.close())
  const { body: flow } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Widget',
    flowData: drawDocumentChat(model.url),
  })
  await platform.call('POST', `/api/v1/vector/upsert/${flow.id}`, { body: {} })
  const page = await startPage(flow.id, platform.url)

  test('flowise-embed, unmodified and in a page of another origin, holds a conversation with streaming and sources', async (t) => {
    const browser = await openBrowser(executable)
    t.after(() => browser.close())
    const tab = await browser.newPage()
    const wrong: string[] = []
    tab.on('pageerror', (error) => wrong.push(error.message))
    const frames: string[] = []
    tab.on('response', async (response) => {
      if (response.url().includes('/prediction/')) frames.push(await response.text().catch(() => ''))
    })
    await tab.goto(page)

    model.script({ text: 'They hold **hands**, so that none drifts away.' })
    const box = tab.locator('textarea').first()
    await box.fill('How do otters sleep?')
    await box.press('Enter')
    await tab.getByText('so that none drifts away').waitFor()
    assert.equal(await tab.locator('strong', { hasText: 'hands' }).count(), 1, 'the answer is rendered')
    // A source is a chip with the beginning of the chunk.
    await tab.getByText('Otters hold hand').waitFor()

    // The second question: the model is asked to make it stand alone, then to answer.
    model.script({ text: 'Why do otters hold hands?' }, { text: 'So that they wake up together.' })
    await box.fill('And why?')
    await box.press('Enter')
    await tab.getByText('wake up together').waitFor()
    // The last words are shown before their stream has ended.
    await until(() => frames.length >= 2, 'the end of both answers')

    assert.equal(frames.length, 2)
    for (const stream of frames) {
      assert.ok(stream.split('"event":"token"').length > 3, 'the answer came in pieces')
      assert.match(stream, /"event":"sourceDocuments"/)
      assert.match(stream, /"event":"end","data":"\[DONE\]"\}\n\n$/)
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(model.violations, [])
  })
}
