import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { startChatServer } from '../support/chat-server.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { openStudio } from '../support/studio.ts'
import { startToolServer } from '../support/tool-server.ts'
import { askSteps } from './tour/ask-steps.ts'
import { canvasSteps } from './tour/canvas-steps.ts'
import { documentSteps } from './tour/document-steps.ts'
import { questionSteps } from './tour/question-steps.ts'
import { runSteps } from './tour/run-steps.ts'
import { byKeyboard, byMouse, type Step } from './tour/step.ts'
import { tourWorld } from './tour/tour-world.ts'

/*
 * `npm run tour` takes the pictures of docs/studio/ anew, of real servers with the sample documents: with the mouse in the light, then
 * with the keyboard alone in the dark. SLUICE_TOUR="why missing" goes to these stops alone; SLUICE_SCREENSHOTS=FOLDER
 * keeps them there too, as PNG.
 */

const PICTURES = new URL('../../docs/studio/', import.meta.url)
const STEPS: readonly Step[] = [...canvasSteps, ...documentSteps, ...askSteps, ...questionSteps, ...runSteps]

const folder = process.env.SLUICE_SCREENSHOTS
const chosen = process.env.SLUICE_TOUR?.split(' ')
/** The stops that are gone to: one without a path of its own needs those before it. */
const wanted = chosen ? stopsOf(chosen) : STEPS

const executable = chromiumPath()
assert.ok(executable, 'no Chromium is there: tools/provide.sh installs one')
const [browser, chat, tools, provider] = await Promise.all([
  testBrowser(executable),
  startChatServer(),
  startToolServer(),
  startProviderServer(),
])
// Each hand has a server of its own: both find the same.
const worlds = []
for (const colorScheme of ['light', 'dark'] as const)
  worlds.push({ colorScheme, platform: await tourWorld({ chat, tools, provider }) })
after(() => {
  provider.release()
  for (const server of [chat, tools, provider]) server.close()
})

for (const { colorScheme, platform } of worlds) {
  const hand = colorScheme === 'light' ? byMouse : byKeyboard
  test(`the tour of the studio, ${colorScheme}, ${hand.name}`, async (t) => {
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
    const { tab, complaints, strangers, close } = await openStudio(browser, platform, { colorScheme })
    await tab.getByRole('link', { name: /^Quickstart/ }).waitFor()
    tab.setDefaultTimeout(30_000)
    for (const { name, path, go, end } of wanted)
      await t.test(name, async () => {
        if (path !== undefined) await tab.goto(platform.url + path)
        await go(hand(tab))
        // What the pointer is over looks otherwise.
        await tab.mouse.move(640, 4)
        await picture(tab, colorScheme === 'light' ? name : `${name}-${colorScheme}`)
        await end?.(hand(tab))
      })
    assert.deepEqual(complaints, [])
    assert.deepEqual(strangers, [])
    await close()
  })
}

async function picture(tab: Page, name: string): Promise<void> {
  // A run that goes on is read again and again: there the wait ends by itself.
  await tab.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
  await tab.evaluate(
    'Promise.all(document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity).map((one) => one.finished.catch(() => {})))',
  )
  if (folder !== undefined) await tab.screenshot({ path: `${folder}/${name}.png` })
  const session = await tab.context().newCDPSession(tab)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  await session.detach()
  writeFileSync(new URL(`${name}.webp`, PICTURES), Buffer.from(data, 'base64'))
}

function stopsOf(names: readonly string[]): Step[] {
  const groups: Step[][] = []
  for (const step of STEPS) {
    if (step.path !== undefined) groups.push([])
    groups.at(-1)!.push(step)
  }
  return groups.filter((group) => group.some(({ name }) => names.includes(name))).flat()
}
