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
import { inPage } from '../support/studio/in-page.ts'
import { openStudio } from '../support/studio.ts'
import { SCREENS } from './screens/all.ts'
import { seedStudio } from './screens/seed.ts'

const followAddress = await inPage<(address: string) => Promise<boolean>>(
  'follow-address.ts',
  'followAddress',
)

/* SLUICE_SCREENSHOTS=FOLDER keeps a picture of each screen. */
const pictures = process.env.SLUICE_SCREENSHOTS
const executable = chromiumPath()

/**
 * In the dark only colours differ, and those not by the size of the window: they are looked at on the desktop, in both themes, and on
 * a tablet in the light alone, where a screen has other parts there.
 */
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
    const studio = await openStudio(browser, platform)
    await studio.tab.getByRole('link', { name: /^Quickstart/ }).waitFor()
    // Where the server fails, what was loaded before must not be shown: such screens are loaded by their address, in a tab of their own.
    const loading = await openStudio(browser, platform)
    await loading.tab.getByRole('link', { name: /^Quickstart/ }).waitFor()
    const passed = new Set<string>()
    for (const { name, state, path: address, shown, failing, bySize, loaded } of SCREENS)
      await t.test(`${name}, ${state}`, async () => {
        const faults: string[] = []
        const isLoaded = loaded || failing !== undefined
        const { tab, complaints } = isLoaded ? loading : studio
        const picture = async (look: string) => {
          const file = `${name} ${state} ${look}.png`.replaceAll(' ', '-')
          if (pictures) await tab.screenshot({ path: path.join(pictures, file) })
        }
        const show = async (size: keyof typeof WINDOWS, load = false) => {
          await tab.setViewportSize(WINDOWS[size])
          if (!load) return
          if (isLoaded || !(await tab.evaluate(followAddress, address)))
            await tab.goto(platform.url + address)
          await shown(tab)
        }
        const look = async (size: keyof typeof WINDOWS) => {
          const without = size === 'tablet' && !bySize ? RULES_OF_COLOURS : []
          for (const fault of [...(await violations(tab, { without, passed })), ...(await misfits(tab))])
            faults.push(`${size}: ${fault}`)
          await picture(`${size} light`)
          if (size === 'tablet' && !pictures) return
          await tab.emulateMedia({ colorScheme: 'dark' })
          for (const fault of await violations(tab, { rules: RULES_OF_COLOURS, passed }))
            faults.push(`${size} in the dark: ${fault}`)
          await picture(`${size} dark`)
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
    for (const { strangers, close } of [studio, loading]) {
      assert.deepEqual(strangers, [])
      await close()
    }
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
