import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { chromiumPath, openBrowser } from '../support/browser.ts'
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

/** In the dark only colours differ, and those not by the size of the window: what is in front of what is looked at in the light. */
const WINDOWS = [
  { size: 'desktop', width: 1280, height: 800, hasDark: true },
  { size: 'tablet', width: 820, height: 1180, hasDark: false },
] as const

if (executable === undefined) {
  test('the screens of the studio have no serious accessibility violations', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  await seedStudio(platform)
  const browser = await openBrowser(executable)
  after(() => browser.close())
  if (pictures) mkdirSync(pictures, { recursive: true })

  for (const { size, width, height, hasDark } of WINDOWS)
    test(`every screen of the studio fits, can be walked by keyboard and breaks no rule of accessibility or of the policy, in the light${hasDark ? ' and in the dark' : ''}: ${size}`, async (t) => {
      const { tab, complaints, strangers, context } = await openStudio(browser, platform)
      await tab.getByRole('link', { name: /^Quickstart/ }).waitFor()
      await tab.setViewportSize({ width, height })
      const picture = async (name: string) => {
        if (pictures) await tab.screenshot({ path: path.join(pictures, `${name.replaceAll(' ', '-')}.png`) })
      }
      for (const { name, state, path: address, shown, failing } of SCREENS)
        await t.test(`${name}, ${state}`, async () => {
          if (failing)
            await tab.route(failing, (route) =>
              route.fulfill({
                status: 500,
                json: {
                  statusCode: 500,
                  code: 'internal',
                  success: false,
                  message: 'The server failed',
                  stack: {},
                },
              }),
            )
          await tab.goto(platform.url + address)
          await shown(tab)
          const faults = [...(await violations(tab)), ...(await misfits(tab))]
          await picture(`${name} ${state} ${size} light`)
          if (hasDark || pictures) {
            await tab.emulateMedia({ colorScheme: 'dark' })
            for (const fault of await violations(tab, RULES_OF_COLOURS)) faults.push(`in the dark: ${fault}`)
            await picture(`${name} ${state} ${size} dark`)
            await tab.emulateMedia({ colorScheme: 'light' })
          }
          faults.push(...(await focusFaults(tab)))
          // A request that is tried again may be under way.
          await tab.unrouteAll({ behavior: 'wait' })
          assert.deepEqual(faults, [])
          const unexpected = complaints.splice(0).filter((line) => !isRefusal(line))
          assert.deepEqual(unexpected, [])
        })
      assert.deepEqual(strangers, [])
      await context.close()
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
