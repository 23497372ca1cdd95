import { existsSync } from 'node:fs'
import path from 'node:path'
import { after } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The first is the same engine without windows: a quarter less processor time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** The Chromium of this machine; `tools/provide.sh` installs one where it may. */
export const chromiumPath = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
    .find(existsSync)

/** Why a test that needs a browser is skipped where there is none. */
export const NO_BROWSER = 'no Chromium is installed (tools/provide.sh)'

/** How long a test waits for a fact of a page at most, in milliseconds: long enough for a machine that is slow and busy. */
const TIMEOUT = 60_000

/**
 * Opens a browser that makes no calls of its own. `SLUICE_SLOW_BROWSER=6` makes its pages six times slower, to find tests
 * that depend on speed.
 *
 * @param more further arguments of Chromium
 */
export async function openBrowser(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A process costs as much as a page. Contexts do not share one all the same.
      '--renderer-process-limit=1',
      ...more,
    ],
  })
  const rate = Number(process.env.SLUICE_SLOW_BROWSER ?? 1)
  browser.on('context', (context) => {
    context.setDefaultTimeout(TIMEOUT)
    if (rate > 1) context.on('page', (page) => void slowDown(page, rate))
  })
  return browser
}

/** A browser that ends with the tests of the file. */
export async function testBrowser(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  const browser = await openBrowser(executablePath, more)
  after(() => browser.close())
  return browser
}

async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}
