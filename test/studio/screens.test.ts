import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { RULES_OF_COLOURS, violations } from '../support/studio/axe.ts'
import { misfits } from '../support/studio/fit.ts'
import { focusFaults } from '../support/studio/focus-walk.ts'
import { openStudio } from '../support/studio.ts'
import { SCREENS } from './screens/all.ts'
import { seedStudio } from './screens/seed.ts'

/* SLUICE_SCREENSHOTS=FOLDER keeps a picture of each screen. */
const pictures = process.env.SLUICE_SCREENSHOTS
const executable = chromiumPath()

/** In the dark only colours differ, and those not by the size of the window: the dark is looked at on the desktop alone. */
const WINDOWS = { desktop: { width: 1280, height: 800 }, tablet: { width: 820, height: 1180 } }

if (executable === undefined) {
  test('the screens of the studio have no serious accessibility violations', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  await seedStudio(platform)
  const browser = await testBrowser(executable)
  if (pictures) mkdirSync(pictures, { recursive: true })

  test('every screen of the studio fits, can be walked by keyboard and breaks no rule of accessibility or of the policy, on a desktop in the light and in the dark and on a tablet', async (t) => {
    const { tab, complaints, strangers, close } = await openStudio(browser, platform)
    await tab.getByRole('link', { name: /^Quickstart/ }).waitFor()
    const picture = async (name: string) => {
      if (pictures) await tab.screenshot({ path: path.join(pictures, `${name.replaceAll(' ', '-')}.png`) })
    }
    const passed = new Set<string>()
    for (const { name, state, path: address, shown, failing, bySize } of SCREENS)
      await t.test(`${name}, ${state}`, async () => {
        const faults: string[] = []
        const show = async (size: keyof typeof WINDOWS, load = false) => {
          await tab.setViewportSize(WINDOWS[size])
          if (!load) return
          await tab.goto(platform.url + address)
          await shown(tab)
        }
        const look = async (size: keyof typeof WINDOWS) => {
          for (const fault of [...(await violations(tab, { passed })), ...(await misfits(tab))])
            faults.push(`${size}: ${fault}`)
          await picture(`${name} ${state} ${size} light`)
          if (size === 'tablet' && !pictures) return
          await tab.emulateMedia({ colorScheme: 'dark' })
          for (const fault of await violations(tab, { rules: RULES_OF_COLOURS, passed }))
            faults.push(`${size} in the dark: ${fault}`)
          await picture(`${name} ${state} ${size} dark`)
          await tab.emulateMedia({ colorScheme: 'light' })
        }
        const walk = async (size: keyof typeof WINDOWS) => {
          for (const fault of await focusFaults(tab)) faults.push(`${size}: ${fault}`)
        }
        if (failing) await tab.route(failing, (route) => route.fulfill({ status: 500, json: FAILURE }))

        await show('desktop', true)
        await look('desktop')
        const layers = await openLayers(tab)
        if (bySize) await walk('desktop')
        await show('tablet', bySize)
        assert.equal(await openLayers(tab), layers, 'what was open is open in the smaller window')
        await look('tablet')
        // A walk may close what is open: it comes last.
        await walk('tablet')
        if (!bySize) {
          await show('desktop')
          await walk('desktop')
        }

        // A request that is tried again may be under way.
        await tab.unrouteAll({ behavior: 'wait' })
        assert.deepEqual(faults, [])
        const unexpected = complaints.splice(0).filter((line) => !isRefusal(line))
        assert.deepEqual(unexpected, [])
      })
    assert.deepEqual(strangers, [])
    await close()
  })

  test('the sign-in screen has no serious accessibility violations, and says why a key is refused', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const tab = await context.newPage()
    await tab.goto(`${platform.url}/flows/quickstart#sign-in=a-used-code`)
    await tab.getByRole('alert').waitFor()
    assert.deepEqual([...(await violations(tab)), ...(await misfits(tab))], [])
    await tab.getByLabel('Management key').fill('wrong')
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('alert').getByText(/key/i).waitFor()
    await context.close()
  })
}

/** Chromium writes each answer of 4xx and 5xx to the console; the screens show them. */
const isRefusal = (line: string): boolean => /responded with a status of (4|5)\d\d/.test(line)

const FAILURE = {
  statusCode: 500,
  code: 'internal',
  success: false,
  message: 'The server failed',
  stack: {},
}

/** How many dialogs, menus and lists are open over the screen. */
const openLayers = (tab: Page): Promise<number> =>
  tab.locator('[role="dialog"]:visible, [role="menu"]:visible').count()
