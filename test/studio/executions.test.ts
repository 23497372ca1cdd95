import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Event } from '../../src/events/event.ts'
import { startEvents } from '../../src/events/main.ts'
import { quietLog } from '../../src/kit/log.ts'
import { start, step, steps } from '../support/agent-drawing.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawDocumentChat } from '../support/document-chat.ts'
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
  test('the studio shows executions', (t) => {
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

  const made = await platform.manage<{ id: string; slug: string }>('POST', '/api/v1/chatflows', {
    name: 'Event planner',
    flowData: {
      nodes: [
        start(),
        step('agentAgentflow_0', {
          agentModel: 'chatOpenAICustom',
          agentModelConfig: {
            ...{ modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: 'none', streaming: true },
            agentModel: 'chatOpenAICustom',
          },
          agentTools: [
            {
              agentSelectedTool: 'requestsPost',
              agentSelectedToolRequiresHumanInput: true,
              agentSelectedToolConfig: {
                agentSelectedTool: 'requestsPost',
                requestsPostUrl: `${events.url}/events`,
                requestsPostName: 'create_event',
                requestsPostDescription: 'Creates an event',
              },
            },
          ],
        }),
      ],
      edges: steps('startAgentflow_0 > agentAgentflow_0'),
    },
  })
  assert.equal(made.status, 200, made.text)
  const { id, slug } = made.body

  const create = {
    calls: [
      {
        name: 'create_event',
        input: { body: { name: 'Book fair', date: '2026-03-01T18:00:00Z', location: 'Bergen' } },
      },
    ],
  }
  const ask = (chatId: string) =>
    platform.call('POST', `/api/v1/prediction/${id}`, { body: { question: 'Plan it', chatId } })

  test('Executions shows runs by state, lets one that waits go on after approval, and stops one that runs [studio:executions]', async () => {
    const { tab, complaints, strangers, close } = await openStudio(browser, platform, {
      path: '/executions',
    })
    await tab.getByRole('heading', { name: 'No question has been asked yet' }).waitFor()
    await picture(tab, 'executions-empty')

    chat.script({ text: 'Nothing to do.' }, { status: 400 }, create)
    await ask('done')
    await ask('fails')
    await ask('waits')
    await tab.reload()
    await tab.getByRole('row', { name: /Waits Plan it/ }).waitFor()
    await tab.getByRole('row', { name: /Finished Plan it/ }).waitFor()
    await tab.getByRole('row', { name: /Failed Plan it/ }).waitFor()
    await picture(tab, 'executions')

    await tab.getByRole('combobox', { name: 'State' }).selectOption('Failed')
    await tab.getByRole('row', { name: /Finished/ }).waitFor({ state: 'detached' })
    await tab.getByRole('link', { name: /^Plan it, Event planner, Failed/ }).click()
    const panel = tab.getByRole('complementary', { name: 'Execution' })
    await panel.getByRole('img', { name: 'failed' }).first().waitFor()
    await panel.locator('summary', { hasText: 'agentAgentflow_0' }).click()
    await panel.getByText('provider_failed').first().waitFor()
    await picture(tab, 'execution-failed')

    await tab.getByRole('combobox', { name: 'State' }).selectOption('All states')
    await tab.getByRole('link', { name: /^Plan it, Event planner, Waits/ }).click()
    const decision = panel.getByRole('region', { name: 'A decision for you' })
    await decision.getByText(`POST ${events.url}/events`).waitFor()
    await picture(tab, 'execution-waits')
    chat.script({ text: 'The book fair is planned.' })
    await decision.getByRole('button', { name: 'Approve' }).click()
    await decision.waitFor({ state: 'detached' })
    await tab.getByRole('link', { name: /^Plan it, Event planner, Waits/ }).waitFor({ state: 'detached' })
    const stored = (await (await fetch(`${events.url}/events`)).json()) as Event[]
    assert.ok(stored.some(({ name }) => name === 'Book fair'))
    await panel.locator('summary', { hasText: 'A person approved' }).waitFor()
    await panel.locator('summary', { hasText: 'agentAgentflow_0' }).last().click()
    const calls = panel.getByRole('list', { name: 'Tool calls' })
    await calls.locator('summary', { hasText: 'create_event' }).last().click()
    await calls.getByText('201').last().waitFor()
    await picture(tab, 'execution-finished')
    await tab.setViewportSize({ width: 820, height: 1180 })
    await picture(tab, 'execution-tablet')
    await tab.setViewportSize({ width: 1280, height: 800 })

    chat.script('silence')
    const running = ask('runs')
    await until(() => chat.left() === 0)
    await tab.goto(`${platform.url}/executions?flow=${slug}&state=INPROGRESS`)
    await tab.getByRole('link', { name: /^Plan it, Event planner, Running/ }).click()
    await panel.getByRole('img', { name: 'running' }).first().waitFor()
    await panel.getByRole('button', { name: 'Stop' }).click()
    await running
    await panel.getByRole('img', { name: 'stopped' }).first().waitFor()
    await tab.getByRole('heading', { name: 'No execution fits' }).waitFor()
    await panel.getByRole('button', { name: 'Delete the execution' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await panel.waitFor({ state: 'detached' })
    await tab.getByRole('button', { name: 'Show all' }).click()
    await tab.getByRole('row', { name: /Failed/ }).waitFor()
    await untilEqual(() => tab.getByRole('row', { name: /Event planner/ }).count(), 3)
    assert.deepEqual(complaints, [])
    assert.deepEqual(strangers, [])
    await close()
  })

  test('Ask shows the steps of an agent flow while it runs and afterwards, with the tool calls of each [studio:chat]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}/ask` })
    chat.script(create)
    await tab.getByRole('textbox', { name: 'Message' }).fill('Plan it')
    await tab.getByRole('button', { name: 'Send' }).click()
    const decision = tab.getByRole('region', { name: 'A decision for you' })
    await decision.waitFor()
    chat.script({ text: 'Not planned.' })
    await decision.getByLabel('Reason').fill('Too late')
    await decision.getByRole('button', { name: 'Reject' }).click()
    await tab.getByText('Not planned.', { exact: true }).waitFor()
    const last = tab.getByRole('list', { name: 'Conversation' }).getByRole('article').last()
    // The steps are open while the flow answers, and are folded at its end.
    await last.locator('[aria-busy="false"]').waitFor()
    await last.getByRole('list', { name: 'Steps' }).waitFor({ state: 'hidden' })
    await last.getByText('2 steps').click()
    await last.locator('summary', { hasText: 'agentAgentflow_0' }).click()
    await last.getByText('create_event').waitFor()
    await picture(tab, 'ask-chat-steps')
    assert.deepEqual(complaints, [])
    await close()
  })

  test('Ask leads from an answer of a chat flow to its run, whose steps stand on one time axis [studio:runs]', async () => {
    const drawn = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
      name: 'Otters',
      flowData: drawDocumentChat(chat.url),
    })
    const otters = drawn.body.id
    assert.equal((await platform.manage('POST', `/api/v1/vector/upsert/${otters}`, {})).status, 200)
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${otters}/ask` })
    chat.script({ text: 'They hold hands.' })
    await tab.getByRole('textbox', { name: 'Message' }).fill('How do otters sleep?')
    await tab.getByRole('button', { name: 'Send' }).click()
    await tab.getByText('They hold hands.', { exact: true }).waitFor()
    await picture(tab, 'ask-show-run')
    await tab.getByRole('link', { name: 'Show run' }).click()

    const panel = tab.getByRole('complementary', { name: 'Execution' })
    await panel.getByRole('heading', { name: 'How do otters sleep?' }).waitFor()
    const steps = panel.getByRole('list', { name: 'Steps' }).getByRole('listitem')
    await untilEqual(() => steps.count(), 2)
    // The times are text too, and the bars of all steps have one axis: the search ends before the model begins.
    assert.match((await steps.first().textContent())!, /Search.*1 hit.*at [\d.]+ m?s, [\d.]+ m?s/)
    const bars = await steps.locator('[style*="width"]').evaluateAll((all) =>
      all.map((bar) => {
        const { left, right } = bar.getBoundingClientRect()
        const track = bar.parentElement!.getBoundingClientRect()
        return { left, right, from: track.left, to: track.right }
      }),
    )
    assert.equal(bars.length, 2)
    const [search, answer] = bars as [(typeof bars)[0], (typeof bars)[0]]
    assert.deepEqual([search.from, search.to], [answer.from, answer.to])
    assert.ok(search.right <= answer.left + 4 && answer.right <= answer.to + 1, JSON.stringify(bars))
    await steps.first().locator('summary').focus()
    await tab.keyboard.press('Enter')
    await panel.getByRole('list', { name: 'Best sources' }).getByText('text_0').waitFor()
    await picture(tab, 'execution-chat-flow')

    await tab.getByRole('searchbox', { name: 'Search questions' }).fill('OTTERS')
    await untilEqual(() => tab.getByRole('row').count(), 2)
    await tab.getByRole('row', { name: /Finished How do otters sleep\?, Otters/ }).waitFor()
    await tab.setViewportSize({ width: 390, height: 800 })
    await picture(tab, 'execution-chat-flow-390')
    assert.deepEqual(complaints, [])
    await close()
  })
}
