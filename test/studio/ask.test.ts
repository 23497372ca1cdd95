import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Event } from '../../src/events/event.ts'
import { startEvents } from '../../src/events/main.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { quietLog } from '../../src/kit/log.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'
import { until, untilEqual } from '../support/until.ts'

const executable = chromiumPath()
const pictures = process.env.SLUICE_SCREENSHOTS
if (pictures) mkdirSync(pictures, { recursive: true })
const picture = async (tab: Page, name: string) => {
  if (pictures) await tab.screenshot({ path: path.join(pictures, `${name}.png`) })
}

if (executable === undefined) {
  test('the studio asks a flow', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const [platform, chat, events, browser] = await Promise.all([
    makePlatform(),
    startChatServer(),
    startEvents({ host: '127.0.0.1', port: 0, log: quietLog }),
    testBrowser(executable),
  ])
  after(async () => {
    assert.deepEqual(chat.violations, [])
    chat.close()
    await events.close()
  })

  /** The example with the model of the test and the event service of the test; changes need approval. */
  const example = readFileSync(new URL('../../examples/event-agent.json', import.meta.url), 'utf8')
  type Node = { data: { name: string; inputs: JsonObject } }
  const drawing = JSON.parse(example.replaceAll('http://127.0.0.1:5566', events.url)) as { nodes: Node[] }
  for (const { data } of drawing.nodes) {
    if (data.name.startsWith('chat'))
      Object.assign(data.inputs, { basepath: `${chat.url}/v1`, openAIApiKey: 'none', streaming: true })
    if (data.name === 'toolAgent') data.inputs.asksBeforeChanges = true
  }
  const made = await platform.manage<{ flow: { slug: string } }>(
    'POST',
    '/api/v1/chatflows/import?name=Events',
    drawing,
  )
  assert.equal(made.status, 200, made.text)
  const stored = await platform.upload('quickstart', {
    'ferry.txt': `${'The harbour has two piers. '.repeat(30)}The ferry to Bergen leaves at noon. Dogs are welcome.`,
    'tea.txt': 'Tea is made of leaves. Water for green tea has eighty degrees.',
  })
  assert.equal(stored.status, 200, stored.text)

  const eventNames = async () =>
    ((await (await fetch(`${events.url}/events`)).json()) as Event[]).map(({ name }) => name)
  const say = async (tab: Page, text: string) => {
    await tab.getByRole('textbox', { name: 'Message' }).fill(text)
    await tab.getByRole('button', { name: 'Send' }).click()
  }
  const create = (name: string) => ({
    calls: [
      {
        name: 'create_event',
        input: { body: { name, date: '2026-03-01T18:00:00Z', location: 'Bergen' } },
      },
    ],
  })

  test('Ask finds the right source, marks the sentence, and keeps question and settings in the address [studio:ask]', async () => {
    const { tab, complaints, strangers, close } = await openStudio(browser, platform, {
      path: '/flows/quickstart/ask',
    })
    await tab.getByRole('heading', { name: 'Ask the documents of this flow' }).waitFor()
    await picture(tab, 'ask-search-empty')
    await tab.getByRole('textbox', { name: 'Question' }).fill('When does the ferry to Bergen leave?')
    await tab.keyboard.press('Enter')
    const first = tab.getByRole('article', { name: 'Chunk 1' })
    await first.getByRole('link', { name: 'ferry.txt' }).waitFor()
    const marked = async () => (await first.locator('mark').allTextContents()).join('')
    await untilEqual(marked, 'The ferry to Bergen leaves at noon.')
    await first.getByText(/meaning 0\.\d+ · words 0\.\d+/).waitFor()
    await tab.getByText(/searching \d/).waitFor()
    const link = await first.getByRole('link', { name: 'ferry.txt' }).getAttribute('href')
    assert.match(link!, /^\/flows\/quickstart\/documents\/ferry\.txt\?chunk=\w+/)
    await picture(tab, 'ask-search')

    await tab.getByText('Words', { exact: true }).first().click()
    await tab.getByRole('button', { name: 'Filter' }).click()
    await tab.getByRole('combobox', { name: 'Field' }).fill('source')
    await tab.getByRole('combobox', { name: 'Value' }).fill('no-such.txt')
    await tab.getByRole('combobox', { name: 'Value' }).press('Enter')
    await tab.getByRole('heading', { name: 'Nothing was found' }).waitFor()
    await tab.getByRole('combobox', { name: 'Value' }).fill('tea.txt')
    await tab.getByRole('textbox', { name: 'Question' }).fill('How hot is water for tea?')
    await tab.keyboard.press('Enter')
    await first.getByRole('link', { name: 'tea.txt' }).waitFor()
    await picture(tab, 'ask-search-filter')
    await untilEqual(() => {
      const address = new URL(tab.url()).searchParams
      return [address.get('q'), address.get('mode'), address.get('filter')]
    }, ['How hot is water for tea?', 'keyword', '{"source":{"$eq":"tea.txt"}}'])

    // The address alone shows the same, and the questions of the tab stay.
    await tab.reload()
    await first.getByRole('link', { name: 'tea.txt' }).waitFor()
    await tab
      .getByRole('complementary', { name: 'Questions of this tab' })
      .getByText('When does the ferry')
      .last()
      .click()
    await first.getByRole('link', { name: 'ferry.txt' }).waitFor()
    assert.deepEqual(complaints, [])
    assert.deepEqual(strangers, [])
    await close()
  })

  test('Ask names the words that were searched in another spelling, and searches as typed when asked to [query:spelling]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: '/flows/quickstart/ask?q=ferry%20to%20Bergne&mode=keyword',
    })
    await tab.getByText('No chunk has “Bergne”, so “bergen” was searched too.').waitFor()
    await picture(tab, 'ask-spelling')
    await tab.getByRole('button', { name: 'Search as typed' }).click()
    const others = tab.getByRole('checkbox', { name: 'Other spellings' })
    await others.waitFor()
    await tab.getByText('No chunk has “Bergne”').waitFor({ state: 'detached' })
    await others.click()
    await tab.getByText('No chunk has “Bergne”').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('Ask shows a confidence where there is one, and says that probably no chunk answers where the server says so [query:confidence, query:confidence:unlikely]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: '/flows/quickstart/ask?q=When%20does%20the%20ferry%20to%20Bergen%20leave%3F',
    })
    const first = tab.getByRole('article', { name: 'Chunk 1' })
    const confidence = first.getByText(/\d % confident/)
    const unlikely = tab.getByText('Probably none of these chunks answers the question.')
    const inBothThemes = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.emulateMedia({ colorScheme })
        await picture(tab, `${name}-${colorScheme}`)
      }
    }
    const askFor = async (question: string) => {
      await tab.getByRole('textbox', { name: 'Question' }).fill(question)
      await tab.keyboard.press('Enter')
      await untilEqual(() => new URL(tab.url()).searchParams.get('q'), question)
      await tab.locator('[aria-label="Chunks"][data-stale="false"]').waitFor()
    }
    await confidence.waitFor()
    assert.equal(await unlikely.count(), 0)
    await inBothThemes('ask-confidence')

    await askFor('ferry')
    await confidence.waitFor({ state: 'detached' })
    await first.getByRole('link', { name: 'ferry.txt' }).waitFor()
    assert.equal(await unlikely.count(), 0)
    await inBothThemes('ask-without-confidence')

    await askFor('Which minister of finance raised the taxes during the economic crisis in Argentina?')
    await unlikely.waitFor()
    await confidence.waitFor()
    await inBothThemes('ask-unlikely')
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the event agent lists events, creates one after approval and none after a refusal with a reason [studio:chat]', async () => {
    const { tab, complaints, strangers, close } = await openStudio(browser, platform, {
      path: `/flows/${made.body.flow.slug}/ask`,
    })
    await tab.getByRole('heading', { name: 'Talk to this flow' }).waitFor()
    await picture(tab, 'ask-chat-empty')
    chat.script({ calls: [{ name: 'get_events', input: {} }] }, { text: 'There are **five** events.' })
    await say(tab, 'Which events are there?')
    await tab.locator('strong', { hasText: 'five' }).waitFor()
    const calls = tab.getByRole('list', { name: 'Tool calls' }).first()
    await calls.getByText('get_events').click()
    await calls.getByText(`GET ${events.url}/events`).first().waitFor()
    await calls.getByText('200').first().waitFor()
    assert.match(await calls.getByRole('region', { name: 'Response body' }).innerText(), /"name":/)
    await picture(tab, 'ask-chat-tool-call')

    const before = await eventNames()
    chat.script(create('Book fair'))
    await say(tab, 'Create the book fair')
    const decision = tab.getByRole('region', { name: 'A decision for you' })
    await decision.getByText(`POST ${events.url}/events`).waitFor()
    await decision.getByText('"name": "Book fair"').first().waitFor()
    await picture(tab, 'ask-chat-approval')
    assert.deepEqual(await eventNames(), before)
    chat.script({ text: 'The book fair is planned.' })
    await decision.getByRole('button', { name: 'Approve' }).click()
    await tab.getByText('The book fair is planned.').waitFor()
    await tab.getByText('Approved', { exact: true }).waitFor()
    assert.deepEqual(await eventNames(), [...before, 'Book fair'])

    chat.script(create('Circus'))
    await say(tab, 'And a circus')
    await decision.getByLabel('Reason').fill('It is too loud')
    chat.script(({ body }) => {
      assert.match(JSON.stringify(body), /It is too loud/)
      return { text: 'No circus then.' }
    })
    await decision.getByRole('button', { name: 'Reject' }).click()
    await tab.getByText('No circus then.').waitFor()
    await tab.getByText('Rejected: It is too loud').waitFor()
    assert.deepEqual(await eventNames(), [...before, 'Book fair'])

    // The page is loaded again in the middle of a conversation, at a call that waits.
    chat.script(create('Concert'))
    await say(tab, 'And a concert')
    await decision.waitFor()
    await tab.getByRole('textbox', { name: 'Message' }).fill('A draft')
    await tab.reload()
    await decision.getByText('"name": "Concert"').first().waitFor()
    await untilEqual(() => tab.getByRole('textbox', { name: 'Message' }).inputValue(), 'A draft')
    await tab.getByRole('complementary', { name: 'Conversations' }).getByText('waits for you').waitFor()
    await untilEqual(() => tab.getByRole('list', { name: 'Conversation' }).getByRole('article').count(), 6)
    chat.script({ text: 'The concert is planned.' })
    await decision.getByRole('button', { name: 'Approve' }).click()
    await tab.getByText('The concert is planned.').waitFor()
    await picture(tab, 'ask-chat')
    await tab.setViewportSize({ width: 820, height: 1180 })
    await picture(tab, 'ask-chat-tablet')

    assert.deepEqual(complaints, [])
    assert.deepEqual(strangers, [])
    await close()
  })

  test('an answer can be stopped, edited, rated and asked again; one that fails says why and keeps what came [studio:chat]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${made.body.flow.slug}/ask`,
      colorScheme: 'dark',
    })
    // The page reads the stored conversation late, so that it is asked again before its parts have their ids.
    const readBack = Promise.withResolvers<void>()
    await tab.route(
      ({ pathname, searchParams }) => pathname.includes('/chatmessage/') && searchParams.has('feedback'),
      async (route) => {
        await readBack.promise
        await route.continue()
      },
      { times: 1 },
    )
    chat.script({ silentAfter: 'This is the first half of' })
    await say(tab, 'Tell me a story')
    await tab.getByText('This is the first half of').waitFor()
    await tab.getByRole('button', { name: 'Stop' }).click()
    await tab.getByText('The answer was stopped here.').waitFor()
    await tab.getByText('This is the first half of').waitFor()
    await until(() => chat.calls.at(-1)!.aborted, 'the model is told that nobody listens')

    chat.script({ cutAfter: 'Once upon a time' })
    await tab.getByRole('button', { name: 'Answer again' }).click()
    await tab.getByText('Once upon a time').waitFor()
    readBack.resolve()
    await tab.getByText('The answer broke off').waitFor()
    await tab.getByText('provider_failed in agent').waitFor()
    await picture(tab, 'ask-chat-failure')
    chat.script({ cutAfter: 'There was once' })
    await tab.getByRole('button', { name: 'Answer again' }).click()
    await tab.getByText('There was once').waitFor()
    await tab.getByText('The answer broke off').waitFor()
    await tab.reload()
    await tab.getByText('The answer broke off').waitFor()
    // Neither the stopped answer nor the one that failed was kept beside the one that replaced it.
    await untilEqual(() => tab.getByRole('list', { name: 'Conversation' }).getByRole('article').count(), 1)

    chat.script({ text: 'A short story.' })
    await tab.getByRole('article').first().hover()
    await tab.getByRole('button', { name: 'Edit the question' }).click()
    await tab.getByLabel('The question').fill('Tell me a short story')
    await tab.getByRole('button', { name: 'Ask', exact: true }).click()
    await tab.getByText('A short story.').waitFor()
    await tab.getByRole('button', { name: 'A good answer' }).click()
    await tab.locator('button[aria-label="A good answer"][aria-pressed="true"]').waitFor()
    await untilEqual(() => tab.getByRole('list', { name: 'Conversation' }).getByRole('article').count(), 1)
    const chatId = new URL(tab.url()).searchParams.get('chat')!
    const stored = await platform.manage<{ content: string; feedback?: { rating: string } }[]>(
      'GET',
      `/api/v1/chatmessage/${made.body.flow.slug}?chatId=${chatId}&feedback=true`,
    )
    assert.deepEqual(
      stored.body.map(({ content, feedback }) => [content, feedback?.rating]),
      [
        ['Tell me a short story', undefined],
        ['A short story.', 'THUMBS_UP'],
      ],
    )

    // An answer goes on while another tab of the flow is open.
    chat.script({ text: 'A long answer that is written word by word.', slow: 30 })
    await say(tab, 'Go on')
    await tab.getByText('A long answer').waitFor()
    await tab.getByRole('link', { name: 'Canvas' }).click()
    await tab.locator('.react-flow__node').first().waitFor()
    await tab.getByRole('link', { name: 'Ask' }).click()
    await tab.getByText('A long answer that is written word by word.').waitFor()

    await tab.getByRole('button', { name: 'New conversation' }).click()
    await tab.getByRole('heading', { name: 'Talk to this flow' }).waitFor()
    const list = tab.getByRole('complementary', { name: 'Conversations' })
    await list.getByRole('button', { name: 'Delete Tell me a short story' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await list.getByText('Tell me a short story').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await close()
  })
}
