import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, NO_BROWSER, testBrowser } from '../support/browser.ts'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'
import { focused, openStudio } from '../support/studio.ts'
import { focusFaults } from '../support/studio/focus-walk.ts'
import { RULES_OF_COLOURS, violations } from '../support/studio/axe.ts'
import { untilEqual } from '../support/until.ts'

/** A question that is spoken into the studio: a microphone of the browser, and a service that writes speech down. */

const executable = chromiumPath()

if (executable === undefined) test('the studio records a question', { skip: NO_BROWSER })
else {
  const FAKE = '--use-fake-device-for-media-stream'
  const [platform, chat, browser, silent] = await Promise.all([
    makePlatform(),
    startChatServer(),
    testBrowser(executable, [FAKE, '--use-fake-ui-for-media-stream']),
    testBrowser(executable, ['--disable-audio-input', '--use-fake-ui-for-media-stream']),
  ])
  /** The recordings that the service got, and how it answers. */
  const heard: { name: string; type: string; head: string; bytes: number }[] = []
  let answer: { status: number; body: string } | undefined
  const service = createServer(async (request, response) => {
    const form = await new Response(new Uint8Array(await buffer(request)), {
      headers: { 'content-type': request.headers['content-type']! },
    }).formData()
    const file = form.get('file') as File
    const bytes = Buffer.from(await file.arrayBuffer())
    heard.push({
      name: file.name,
      type: file.type,
      head: bytes.subarray(0, 4).toString('hex'),
      bytes: bytes.length,
    })
    const { status, body } = answer ?? { status: 200, body: '{"text": "Where do otters live?"}' }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`
  after(() => {
    assert.deepEqual(chat.violations, [])
    chat.close()
    service.close().closeAllConnections()
  })

  const makeFlow = async (name: string, more: object = {}) => {
    const flowData = conversationFlow(chat.url)
    const made = await platform.manage<{ slug: string }>('POST', '/api/v1/chatflows', {
      ...{ name, flowData, ...more },
    })
    assert.equal(made.status, 200, made.text)
    return `/flows/${made.body.slug}/ask`
  }
  const speaks = await makeFlow('Listens', {
    speechToText: JSON.stringify({ localAISTT: { status: true, baseUrl: url } }),
  })
  const writes = await makeFlow('Reads')
  chat.otherwise = { text: 'In rivers.' }

  const record = (tab: Page) => tab.getByRole('button', { name: 'Record the question' })
  const stop = (tab: Page) => tab.getByRole('button', { name: 'Stop recording' })
  const send = (tab: Page) => tab.getByRole('button', { name: 'Send' })
  const time = (tab: Page) => tab.getByRole('timer', { name: 'Length of the recording' })
  /** Waits until a second was recorded. What the time is for a second only may be missed. */
  const aSecond = (tab: Page) =>
    time(tab)
      .getByText(/^\d+:(?!00$)\d\d$/)
      .waitFor()
  const message = (tab: Page) => tab.getByRole('textbox', { name: 'Message' })
  const problem = (tab: Page, text: string | RegExp) =>
    tab.getByRole('region', { name: 'Reports' }).getByText(text, { exact: true })
  /** The microphones that the page holds: those of all recordings that were not let go. */
  const watchMicrophones = (tab: Page) =>
    tab.addInitScript(`{
      window.tracks = []
      const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        const stream = await ask(wanted)
        window.tracks.push(...stream.getTracks())
        return stream
      }
    }`)
  const liveMicrophones = (tab: Page) =>
    tab.evaluate<number>("window.tracks.filter(({ readyState }) => readyState === 'live').length")
  const opened = async (path: string, in_ = browser, colorScheme: 'light' | 'dark' = 'light') => {
    const studio = await openStudio(in_, platform, { path: '/', colorScheme })
    await watchMicrophones(studio.tab)
    await studio.tab.getByRole('link', { name: 'Flows' }).first().waitFor()
    await studio.tab.goto(`${platform.url}${path}`)
    await message(studio.tab).waitFor()
    return studio
  }

  test('Ask records a question by the keyboard, sends it, and shows what was said [studio:recording]', async () => {
    const { tab, complaints, close } = await opened(speaks)
    await record(tab).focus()
    await tab.keyboard.press('Space')
    await focused(stop(tab))
    await tab.getByRole('status').getByText('Recording', { exact: true }).waitFor()
    await aSecond(tab)
    assert.equal(await liveMicrophones(tab), 1)
    await tab.keyboard.press('Space')
    await focused(send(tab))
    await tab.getByText(/^recording \d+ s\.webm$/).waitFor()
    assert.equal(await liveMicrophones(tab), 0)
    await tab.keyboard.press('Enter')
    await tab.getByText('In rivers.').waitFor()
    await tab.getByRole('article').getByText('Where do otters live?').waitFor()
    const [{ name, type, head, bytes }] = heard.splice(0) as [(typeof heard)[0]]
    // EBML: the beginning of a WebM file.
    assert.deepEqual([type, head], ['audio/webm', '1a45dfa3'])
    assert.match(name, /^recording_\d+_s\.webm$/)
    assert.ok(bytes > 1000, `${bytes} bytes`)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('Ask gives a recording up with Escape, with Cancel, and where the page is left [studio:recording]', async () => {
    const { tab, close } = await opened(speaks)
    await record(tab).click()
    await focused(stop(tab))
    await tab.keyboard.press('Escape')
    await focused(record(tab))
    await untilEqual(() => liveMicrophones(tab), 0)
    await record(tab).click()
    await stop(tab).waitFor()
    await tab.getByRole('button', { name: 'Cancel' }).click()
    await focused(record(tab))
    await record(tab).click()
    await stop(tab).waitFor()
    await tab.getByRole('link', { name: 'Flows' }).first().click()
    await untilEqual(() => liveMicrophones(tab), 0)
    assert.equal(await tab.evaluate('window.tracks.length'), 3)
    assert.deepEqual(heard, [])
    await close()
  })

  test('Ask removes a recording, and sends one with what was written beside it [studio:recording]', async () => {
    const { tab, close } = await opened(speaks)
    await record(tab).click()
    await aSecond(tab)
    await stop(tab).click()
    await tab.getByRole('button', { name: /^Remove recording/ }).click()
    assert.equal(await send(tab).isDisabled(), true)
    await record(tab).click()
    // Enter does not send while the microphone is on.
    await message(tab).fill('Answer this:')
    await message(tab).press('Enter')
    await aSecond(tab)
    assert.deepEqual(heard, [])
    await stop(tab).click()
    await send(tab).click()
    await tab.getByRole('article').getByText('Answer this:').waitFor()
    await tab.getByText('In rivers.').waitFor()
    await tab.getByRole('article').getByText('Where do otters live?').waitFor()
    assert.equal(heard.splice(0).length, 1)
    await close()
  })

  test('Ask says why a recording was not written down, and sends it again [studio:recording]', async () => {
    const { tab, close } = await opened(speaks)
    answer = { status: 500, body: '{"error": {"message": "out of memory"}}' }
    await record(tab).click()
    await aSecond(tab)
    await stop(tab).click()
    await send(tab).click()
    await tab
      .getByText(/LocalAI/)
      .first()
      .waitFor()
    await tab.getByText('provider_failed').waitFor()
    const before = heard.splice(0)
    answer = undefined
    await tab.getByRole('button', { name: 'Answer again' }).click()
    await tab.getByRole('article').getByText('Where do otters live?').waitFor()
    assert.deepEqual(heard.splice(0), [before.at(-1)])
    await close()
  })

  test('Ask says where there is no microphone, and where it is refused [studio:recording]', async () => {
    const without = await opened(speaks, silent)
    await record(without.tab).click()
    await problem(without.tab, 'The microphone cannot be used').waitFor()
    await problem(without.tab, /There is no microphone/).waitFor()
    await record(without.tab).waitFor()
    await without.close()

    const refused = await opened(speaks)
    await refused.tab.evaluate(`navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('Permission denied', 'NotAllowedError')
    }`)
    await record(refused.tab).click()
    await problem(refused.tab, /does not let this page use the microphone/).waitFor()
    await refused.close()
  })

  test('Ask has no microphone where the flow takes no recordings [studio:recording]', async () => {
    const { tab, close } = await opened(writes)
    await tab.getByRole('button', { name: 'Overrides' }).waitFor()
    await tab.waitForLoadState('networkidle')
    assert.equal(await record(tab).count(), 0)
    await close()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`the microphone of Ask can be used by everybody, ${colorScheme} [studio:recording]`, async () => {
      const { tab, close } = await opened(speaks, browser, colorScheme)
      const rules = colorScheme === 'dark' ? { rules: RULES_OF_COLOURS } : {}
      await record(tab).waitFor()
      assert.deepEqual(await violations(tab, rules), [])
      await record(tab).click()
      await aSecond(tab)
      assert.deepEqual(await violations(tab, rules), [])
      // The button that has the focus is the last of the page.
      await message(tab).focus()
      if (colorScheme === 'light') assert.deepEqual(await focusFaults(tab), [])
      if (process.env.SLUICE_SCREENSHOTS)
        await tab.screenshot({ path: `${process.env.SLUICE_SCREENSHOTS}/recording-${colorScheme}.png` })
      await tab.getByRole('button', { name: 'Cancel' }).click()
      await close()
    })

  // The clock is that of all pages from here on.
  test('Ask ends a recording that is too long, and keeps it [studio:recording]', async () => {
    const studio = await openStudio(browser, platform)
    const { tab } = studio
    await tab.getByRole('link', { name: 'Flows' }).first().waitFor()
    await tab.clock.install()
    await tab.goto(`${platform.url}${speaks}`)
    await record(tab).click()
    await aSecond(tab)
    await tab.clock.fastForward('10:00')
    await problem(tab, 'The recording has ended').waitFor()
    await problem(tab, /A recording may last 10 minutes/).waitFor()
    await tab.getByText(/^recording 6\d\d s\.webm$/).waitFor()
    await studio.close()
  })
}
