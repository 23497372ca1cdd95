import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawDocumentChat } from '../support/document-chat.ts'
import { makePlatform } from '../support/platform.ts'
import { violations } from '../support/studio/axe.ts'
import { misfits } from '../support/studio/fit.ts'
import { openStudio, saved } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()
const pictures = process.env.SLUICE_SCREENSHOTS
if (pictures) mkdirSync(pictures, { recursive: true })
const picture = async (tab: Page, name: string) => {
  if (pictures) await tab.screenshot({ path: path.join(pictures, `${name}.png`) })
}

if (executable === undefined) {
  test('a flow is embedded, and has a chat page', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const [platform, model, browser] = await Promise.all([
    makePlatform(),
    startChatServer(),
    testBrowser(executable),
  ])
  after(async () => {
    assert.deepEqual(model.violations, [])
    model.close()
  })
  const { body: flow } = await platform.manage<{ id: string; slug: string }>('POST', '/api/v1/chatflows', {
    name: 'Otters',
    flowData: drawDocumentChat(model.url),
    chatbotConfig: {
      title: 'Ask the otters',
      starterPrompts: { 0: { prompt: 'How do otters sleep?' } },
      chatFeedback: { status: true },
    },
  })
  await platform.call('POST', `/api/v1/vector/upsert/${flow.id}`, { body: {} })

  test('the API tab has the lines for a page, says what stops them, and shows a preview [studio:embed]', async () => {
    const { tab, complaints, strangers, close } = await openStudio(browser, platform, {
      path: `/flows/${flow.slug}/api?request=embed`,
    })
    const lines = tab.getByRole('region', { name: 'A button that opens a chat' })
    await lines.waitFor()
    assert.match(
      (await lines.textContent())!,
      new RegExp(`chatflowid: '${flow.id}', apiHost: '${platform.url}'`),
    )
    await tab.getByText('This address is one of this machine').waitFor()
    const preview = tab.frameLocator('iframe')
    await preview.getByRole('heading', { name: 'Ask the otters' }).waitFor()
    await picture(tab, 'api-embed')
    assert.deepEqual(await violations(tab), [])
    assert.deepEqual(await misfits(tab), [])

    // The switch of the page is saved with the flow.
    await tab.getByRole('link', { name: 'Chat page in Configuration' }).click()
    await tab.getByRole('switch', { name: 'Chat page' }).click()
    await tab.getByRole('button', { name: 'Save the flow' }).click()
    await saved(tab)
    const { body } = await platform.manage<{ isPublic: boolean }>('GET', `/api/v1/chatflows/${flow.id}`)
    assert.equal(body.isPublic, true)
    assert.deepEqual(complaints, [])
    assert.deepEqual(strangers, [])
    await close()
  })

  test('the chat page holds a conversation with a visitor who is not signed in, and keeps it over a reload [studio:chat-page]', async () => {
    await platform.manage('PUT', `/api/v1/chatflows/${flow.id}`, { isPublic: true })
    const context = await browser.newContext({ viewport: { width: 390, height: 780 } })
    const tab = await context.newPage()
    const complaints: string[] = []
    tab.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    tab.on('pageerror', (error) => complaints.push(String(error.stack)))
    await tab.goto(`${platform.url}/chatbot/${flow.slug}`)
    await tab.getByRole('heading', { name: 'Ask the otters' }).waitFor()
    await untilEqual(() => tab.title(), 'Ask the otters')
    await picture(tab, 'chat-page-empty')
    assert.deepEqual(await violations(tab), [])

    model.script({ text: 'They hold **hands**, so that none drifts away.' })
    await tab.getByRole('button', { name: 'How do otters sleep?' }).click()
    await tab.locator('strong', { hasText: 'hands' }).waitFor()
    await tab.getByRole('button', { name: 'Good answer' }).click()
    await tab.getByRole('button', { name: 'Good answer', pressed: true }).waitFor()
    await picture(tab, 'chat-page')
    assert.deepEqual(await violations(tab), [])
    assert.deepEqual(await misfits(tab), [])

    await tab.reload()
    await tab.locator('strong', { hasText: 'hands' }).waitFor()

    // A provider that fails: the visitor reads why, and can go on.
    model.script({ status: 400 })
    await tab.getByRole('textbox', { name: 'Message' }).fill('And why?')
    await tab.keyboard.press('Enter')
    await tab.getByRole('alert').waitFor()
    await tab.getByRole('button', { name: 'New conversation' }).click()
    await tab.getByRole('button', { name: 'How do otters sleep?' }).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('the chat page of a server that is away, or says nothing more, can be used again once it answers [studio:chat-page]', async () => {
    await platform.manage('PUT', `/api/v1/chatflows/${flow.id}`, { isPublic: true })
    const context = await browser.newContext({ viewport: { width: 390, height: 780 } })
    const tab = await context.newPage()
    const away = '**/api/v1/public-chatbotConfig/**'
    await tab.route(away, (route) => route.abort())
    await tab.goto(`${platform.url}/chatbot/${flow.slug}`)
    await tab.getByText('The server does not answer').waitFor()
    await picture(tab, 'chat-page-away')
    assert.deepEqual(await violations(tab), [])
    await tab.unroute(away)
    await tab.getByRole('button', { name: 'Try again' }).click()
    await tab.getByRole('button', { name: 'How do otters sleep?' }).waitFor()

    // Neither the question nor the request to stop is answered.
    const silent = '**/api/v1/**'
    await tab.route(silent, () => {})
    await tab.getByRole('button', { name: 'How do otters sleep?' }).click()
    await tab.getByRole('button', { name: 'Stop', exact: true }).click()
    await tab.getByRole('button', { name: 'Stopping…' }).waitFor()
    await tab.getByText('The server does not say whether the answer was stopped').waitFor()
    await picture(tab, 'chat-page-left')
    assert.deepEqual(await violations(tab), [])
    assert.deepEqual(await misfits(tab), [])

    await tab.unroute(silent)
    model.script({ text: 'They hold **hands**.' })
    await tab.reload()
    await tab.getByRole('button', { name: 'Ask again' }).click()
    await tab.locator('strong', { hasText: 'hands' }).waitFor()
    assert.equal(await tab.getByRole('listitem').filter({ hasText: 'How do otters sleep?' }).count(), 1)
    await context.close()
  })

  test('Invite makes a link that signs another browser in, once [studio:invite]', async () => {
    const { tab, close } = await openStudio(browser, platform)
    await tab.getByRole('button', { name: 'Appearance and session' }).click()
    await tab.getByRole('menuitem', { name: 'Invite' }).click()
    const link = await tab.getByRole('textbox', { name: 'Sign-in link' }).inputValue()
    await picture(tab, 'invite')
    assert.deepEqual(await violations(tab), [])
    for (const shown of ['Quickstart', 'Sign in']) {
      const other = await browser.newContext()
      const guest = await other.newPage()
      await guest.goto(link)
      await guest.getByText(shown).first().waitFor()
      await other.close()
    }
    await close()
  })

  test('the guide is a screen of the studio [studio:guide]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/guide' })
    await tab.getByRole('heading', { name: 'Embed', exact: true }).waitFor()
    await picture(tab, 'guide')
    assert.deepEqual(await violations(tab), [])
    assert.deepEqual(await misfits(tab), [])
    assert.deepEqual(complaints, [])
    await close()
  })
}
