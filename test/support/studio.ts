import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { Answer } from './platform.ts'

/** An open studio: everything that the browser complains about is kept. */
export type StudioTab = {
  tab: Page
  /** Errors, warnings and violations of the content security policy. */
  complaints: string[]
  /** Addresses of other servers that the page called. */
  strangers: string[]
  close(): Promise<void>
}

/** The part of a server that opening the studio needs. */
export type StudioServer = {
  url: string
  manage<Body>(method: string, path: string): Promise<Pick<Answer<Body>, 'status' | 'body'>>
}

export type StudioOptions = { path?: string; colorScheme?: 'light' | 'dark' }

/** Opens the studio by a sign-in link, as `sluice start` prints it. */
export async function openStudio(
  browser: Browser,
  platform: StudioServer,
  { path = '/', colorScheme = 'light' }: StudioOptions = {},
): Promise<StudioTab> {
  const { status, body } = await platform.manage<{ code: string }>('POST', '/api/v1/session/codes')
  assert.equal(status, 200)
  const { context, keeper } = await contextFor(browser, platform.url)
  await keeper.evaluate('localStorage.clear()')
  const tab = await context.newPage()
  const opened: StudioTab = { tab, complaints: [], strangers: [], close: () => tab.close() }
  watch(opened, platform.url)
  if (colorScheme !== 'light') await tab.emulateMedia({ colorScheme })
  // Another address before that would lose the code.
  const signedIn = tab.waitForResponse(
    (response) =>
      response.request().method() === 'POST' && response.url() === `${platform.url}/api/v1/session`,
  )
  await tab.goto(`${platform.url}${path}#sign-in=${body.code}`)
  await signedIn
  return opened
}

/** `keeper` is a page that stays open: with the last page of a server its process and all that is compiled would go. */
type Shared = { context: BrowserContext; keeper: Page }

const contexts = new WeakMap<Browser, Map<string, Promise<Shared>>>()

/** The context of the tabs of a server: they share the session and what the browser has loaded, as the tabs of one person do. */
function contextFor(browser: Browser, url: string): Promise<Shared> {
  const all = contexts.get(browser) ?? new Map<string, Promise<Shared>>()
  contexts.set(browser, all)
  const open = async (): Promise<Shared> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
    // A later server may have the same port.
    context.once('close', () => all.delete(url))
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const keeper = await context.newPage()
    await keeper.goto(`${url}/healthz`)
    return { context, keeper }
  }
  const shared = all.get(url) ?? open()
  all.set(url, shared)
  return shared
}

function watch({ tab, complaints, strangers }: StudioTab, url: string): void {
  tab.on('pageerror', (error) => complaints.push(error.message))
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  tab.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) strangers.push(request.url())
  })
}

/** Waits until an element has the focus: dialogs and searches get it a frame after they appear. */
export const focused = (target: Locator): Promise<void> =>
  target.and(target.page().locator(':focus')).waitFor()

/** Waits until the open flow has no unsaved changes and no save is under way. */
export const saved = (tab: Page): Promise<void> =>
  tab.locator('[data-dirty="false"]').getByText('Saved', { exact: true }).waitFor()

/** Waits until the canvas stands still for some frames: it moves on to show a node that was selected. */
export const canvasAtRest = (tab: Page): Promise<void> =>
  tab.evaluate(`new Promise((resolve) => {
    let before, frames = 0
    const look = () => {
      const moved = [...document.querySelectorAll('.react-flow__viewport, .react-flow__node')]
      const places = moved.map((one) => one.style.transform + one.offsetHeight).join()
      frames = places === before ? frames + 1 : 0
      before = places
      if (frames < 6) requestAnimationFrame(look)
      else resolve()
    }
    look()
  })`)

/** Drags a node from the palette to a place of the canvas, in pixels from its corner. */
export async function dragNode(tab: Page, label: string, x: number, y: number): Promise<void> {
  const count = await tab.locator('.react-flow__node').count()
  await canvasAtRest(tab)
  await tab.getByLabel('Search nodes').fill(label)
  await tab
    .getByRole('navigation', { name: 'Nodes' })
    .getByRole('button', { name: label, exact: true })
    .dragTo(tab.locator('.react-flow'), { targetPosition: { x, y } })
  await tab.locator('.react-flow__node').nth(count).waitFor()
  await tab.getByLabel('Search nodes').fill('')
}

/** Draws a line with the mouse from the output of a node to a plug of another. */
export async function drawLine(tab: Page, source: string, target: string, plug: string): Promise<void> {
  const node = (name: string) => tab.locator(`.react-flow__node[aria-label="${name}"]`)
  const from = node(source).locator('.react-flow__handle.source')
  const to = node(target).locator(`.react-flow__handle.target[data-handleid="${plug}"]`)
  await canvasAtRest(tab)
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  assert.ok(start && end, `${source} → ${target}.${plug}: an end of the line is not on the canvas`)
  await tab.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await tab.mouse.down()
  await tab.mouse.move(end.x + end.width / 2 - 20, end.y + end.height / 2, { steps: 6 })
  await tab.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 3 })
  await tab.mouse.up()
}
