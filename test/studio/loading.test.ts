import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'
import { SCREENS } from './screens/all.ts'
import { NOTHING } from './screens/screen.ts'
import { seedStudio } from './screens/seed.ts'

const executable = chromiumPath()

/** What a screen says while it waits for an answer. */
const WAITS = /(Loading|Searching|Following its words)[^.]*…/

if (executable === undefined) {
  test('screens that wait say so', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  await seedStudio(platform)
  const browser = await testBrowser(executable)
  const { tab } = await openStudio(browser, platform)

  for (const { name, path, failing } of SCREENS)
    if (failing)
      test(`${name}: while the server does not answer, the screen says that it waits, and not that there is nothing`, async () => {
        const main = tab.getByRole('main')
        const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        await tab.route(failing, async (route) => {
          asked.resolve()
          await answered.promise
          await route.abort()
        })
        await tab.goto(platform.url + path, { waitUntil: 'commit' })
        try {
          await asked.promise
          await main.getByText(WAITS).first().waitFor()
          assert.doesNotMatch(await main.innerText(), NOTHING)
        } finally {
          answered.resolve()
          await tab.unrouteAll({ behavior: 'wait' })
        }
      })
}
