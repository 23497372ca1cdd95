import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromiumPath, openBrowser } from '../test/support/browser.ts'
import { startServer } from './support/server.ts'
import { median, printTable, quantile } from './support/table.ts'

const ADMIN_KEY = 'the-management-key-of-the-bench'
const RUNS = 9
const NODES = 300
/** A drawing that is seen whole: its nodes are drawn without their inputs. */
const OVERVIEW = { nodes: 150, columns: 13, width: 290, height: 230 }

/** The limits of the routes in kB of gzip. */
const ROUTES: [name: string, address: string, ready: string, limit: number][] = [
  ['flow list', '/flows', 'a[href="/flows/quickstart"]', 200],
  ['canvas', '/flows/quickstart', '.react-flow__node', 320],
]

/** Screens whose transfer is measured, over a flow with so many files. */
const FILES = 10_000
const TRANSFERS: [name: string, address: string, ready: string][] = [
  ['canvas', '/flows/quickstart', '.react-flow__node'],
  [`documents, ${FILES} files`, '/flows/quickstart/documents', 'text=file-0'],
]

/** What the studio loads, when it can be used, and how smooth a large drawing is; limits are those of issue and README. */
export async function run(): Promise<void> {
  const executable = chromiumPath()
  if (!executable) throw new Error('no Chromium is there: tools/provide.sh installs one')
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const server = await startServer(folder, [], { ADMIN_KEY })
  const browser = await openBrowser(executable)
  try {
    const studio = { browser, url: server.url }
    const rows: (string | number)[][] = [['', 'measured', 'worst', 'limit']]
    for (const [name, address, ready, limit] of ROUTES)
      rows.push([`${name}: script, kB gzip`, await scriptOf(studio, address, ready), '', limit])
    for (const [name, address, ready] of ROUTES) {
      const { cold, warm } = await interactive(studio, address, ready)
      const [coldLimit, warmLimit] = name === 'flow list' ? [1000, 400] : ['', '']
      rows.push([`${name}: interactive, cold, ms`, median(cold), Math.max(...cold), coldLimit])
      rows.push([`${name}: interactive, warm, ms`, median(warm), Math.max(...warm), warmLimit])
    }
    await manyFiles(server.url)
    for (const [name, address, ready] of TRANSFERS) {
      const { first, reload } = await transferred(studio, address, ready)
      rows.push([`${name}: transferred, kB`, first.all, '', ''])
      rows.push([`${name}: of it answers of the API, kB`, first.api, '', ''])
      rows.push([`${name}: these uncompressed, kB`, first.plain, '', ''])
      rows.push([`${name}: transferred at a reload, kB`, reload.all, '', ''])
    }
    const slug = await largeFlow(server.url)
    for (const [name, frames] of Object.entries(await dragging(studio, `/flows/${slug}`)))
      rows.push([
        `${NODES} nodes: ${name}, ms a frame, p95`,
        quantile(frames, 0.95),
        Math.max(...frames),
        name === 'drag a node' ? 50 : '',
      ])
    const { frames, zoom } = await overview(studio)
    for (const share of [0.5, 0.95])
      rows.push([
        `${OVERVIEW.nodes} nodes at zoom ${zoom.toFixed(2)}: drag the canvas, ms a frame, p${share * 100}`,
        quantile(frames, share),
        Math.max(...frames),
        '',
      ])
    const opened = await interactive(studio, `/flows/${slug}`, '.react-flow__node')
    rows.push([`${NODES} nodes: open, cold, ms`, median(opened.cold), Math.max(...opened.cold), ''])
    printTable(rows)
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>
type Request = Awaited<ReturnType<Page['waitForRequest']>>
type Studio = { browser: Browser; url: string }

/** A tab of a new browser profile, signed in: the cache is empty but for the sign-in page. */
async function open({ browser, url }: Studio, viewport = { width: 1280, height: 800 }): Promise<Page> {
  const answer = await fetch(`${url}/api/v1/session/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  })
  const { code } = (await answer.json()) as { code: string }
  const context = await browser.newContext({ viewport })
  // Signs in by a request, not by the page, so that no script is cached.
  const session = await context.request.post(`${url}/api/v1/session`, {
    data: { code },
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
  })
  if (!session.ok()) throw new Error(`sign-in was refused: ${await session.text()}`)
  return context.newPage()
}

/** Gzipped kB of all scripts that the route loads until it is ready. */
async function scriptOf(studio: Studio, address: string, ready: string): Promise<number> {
  const tab = await open(studio)
  const bodies: Promise<Buffer>[] = []
  tab.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) bodies.push(response.body())
  })
  await tab.goto(studio.url + address)
  await tab.waitForSelector(ready)
  await tab.waitForLoadState('networkidle')
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length)
  await tab.context().close()
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

type Transfer = { path: string; sent: number; plain: number }

/** The kB of the bodies that a screen gets until it is quiet, first and at a reload: of all, of those of the API, and these uncompressed. */
async function transferred(studio: Studio, address: string, ready: string) {
  const tab = await open(studio)
  const measure = async (navigate: () => Promise<unknown>) => {
    const ended: Promise<Transfer>[] = []
    const note = (request: Request) => void ended.push(transferOf(request))
    tab.on('requestfinished', note)
    await navigate()
    await tab.waitForSelector(ready)
    await tab.waitForLoadState('networkidle')
    tab.off('requestfinished', note)
    const all = await Promise.all(ended)
    const api = all.filter(({ path }) => path.startsWith('/api/'))
    const sum = (rows: Transfer[], what: 'sent' | 'plain') =>
      Math.round(rows.reduce((total, row) => total + row[what], 0) / 100) / 10
    return { all: sum(all, 'sent'), api: sum(api, 'sent'), plain: sum(api, 'plain') }
  }
  const first = await measure(() => tab.goto(studio.url + address))
  const reload = await measure(() => tab.reload())
  await tab.context().close()
  return { first, reload }
}

async function transferOf(request: Request): Promise<Transfer> {
  const { responseBodySize } = await request.sizes().catch(() => ({ responseBodySize: 0 }))
  const response = await request.response()
  const body = await response?.body().catch(() => undefined)
  // What comes from the cache of the browser has a size below 0.
  return {
    path: new URL(request.url()).pathname,
    sent: Math.max(0, responseBodySize),
    plain: body?.length ?? 0,
  }
}

/** Loads the files in ten upserts. */
async function manyFiles(url: string): Promise<void> {
  for (let job = 0; job < 10; job++) {
    const form = new FormData()
    for (let at = job; at < FILES; at += 10)
      form.append('files', new File([`Text ${at} of a small file.`], `file-${at}.txt`))
    const answer = await fetch(`${url}/api/v1/vector/upsert/quickstart`, { method: 'POST', body: form })
    if (!answer.ok) throw new Error(`upsert: ${answer.status} ${await answer.text()}`)
    await answer.body?.cancel()
  }
}

/** Milliseconds from the start of the navigation to the frame in which `ready` is on the page. */
async function interactive(
  studio: Studio,
  address: string,
  ready: string,
): Promise<{ cold: number[]; warm: number[] }> {
  const cold: number[] = []
  const warm: number[] = []
  for (let i = 0; i < RUNS; i++) {
    const tab = await open(studio)
    await tab.addInitScript(`{
      const look = () => document.querySelector(${JSON.stringify(ready)})
        ? (window.readyAfter = performance.now())
        : requestAnimationFrame(look)
      requestAnimationFrame(look)
    }`)
    const readyAfter = async () => {
      await tab.waitForSelector(ready)
      return (await tab.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.readyAfter))))',
      )) as number
    }
    await tab.goto(studio.url + address)
    cold.push(await readyAfter())
    await tab.reload()
    warm.push(await readyAfter())
    await tab.context().close()
  }
  return { cold, warm }
}

/** Times between frames while the mouse drags to and fro from a place of the window. */
async function framesOf(tab: Page, x: number, y: number): Promise<number[]> {
  await tab.mouse.move(x, y)
  await tab.mouse.down()
  await tab.evaluate(`{
    window.frames_ = []
    let last = performance.now()
    const next = (now) => { window.frames_.push(now - last); last = now; window.counting = requestAnimationFrame(next) }
    window.counting = requestAnimationFrame(next)
  }`)
  for (let step = 0; step < 120; step++) {
    const turn = (step / 120) * 4 * Math.PI
    await tab.mouse.move(x + 120 * Math.sin(turn), y + 80 * (1 - Math.cos(turn)))
  }
  const times = (await tab.evaluate('cancelAnimationFrame(window.counting), window.frames_')) as number[]
  await tab.mouse.up()
  return times.slice(2)
}

/** Times between frames while a node of the flow, then the canvas, is dragged to and fro. */
async function dragging(studio: Studio, address: string): Promise<Record<string, number[]>> {
  const tab = await open(studio)
  await tab.goto(studio.url + address)
  await tab.waitForSelector('.react-flow__node')
  await tab.waitForLoadState('networkidle')
  const box = (await tab.locator('.react-flow__node').first().boundingBox())!
  const node = await framesOf(tab, box.x + box.width / 2, box.y + 8)
  const canvas = (await tab.locator('.react-flow').boundingBox())!
  const pane = await framesOf(tab, canvas.x + 3, canvas.y + canvas.height / 2)
  await tab.context().close()
  return { 'drag a node': node, 'drag the canvas': pane }
}

/** Times between frames while a drawing that is seen whole is dragged, and its zoom. */
export async function overview(studio: Studio): Promise<{ frames: number[]; zoom: number }> {
  const { nodes, columns, width, height } = OVERVIEW
  const slug = await largeFlow(studio.url, nodes, (at) => ({
    x: (at % columns) * width,
    y: Math.floor(at / columns) * height,
  }))
  const tab = await open(studio, { width: 1600, height: 1000 })
  await tab.goto(`${studio.url}/flows/${slug}`)
  await tab.waitForSelector('.react-flow__node')
  await tab.waitForLoadState('networkidle')
  const zoom = Number(
    await tab.evaluate(
      'new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")).transform).a',
    ),
  )
  // As on a computer that is four times slower: here every frame would be in time.
  const session = await tab.context().newCDPSession(tab)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const canvas = (await tab.locator('.react-flow').boundingBox())!
  const frames = await framesOf(tab, canvas.x + 3, canvas.y + canvas.height / 2)
  await tab.context().close()
  return { frames, zoom }
}

/** Stores a flow of connected nodes: stores, each with its loader, splitter, embeddings and record manager. */
async function largeFlow(
  url: string,
  count = NODES,
  place?: (at: number) => { x: number; y: number },
): Promise<string> {
  const manage = async <T>(method: string, where: string, body?: object): Promise<T> => {
    const answer = await fetch(url + where, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  type Drawing = {
    nodes: { id: string; position: { x: number; y: number }; data: { id: string } }[]
    edges: { id: string; source: string; target: string; sourceHandle: string; targetHandle: string }[]
  }
  const { flowData } = await manage<{ flowData: string }>('GET', '/api/v1/chatflows/quickstart')
  const one = JSON.parse(flowData) as Drawing
  const all: Drawing = { nodes: [], edges: [] }
  for (let copy = 0; all.nodes.length + one.nodes.length <= count; copy++) {
    const text = JSON.stringify(one).replaceAll(/"([A-Za-z]+)_0\b/g, `"$1_${copy}`)
    const { nodes, edges } = JSON.parse(text) as Drawing
    for (const node of nodes) {
      const { x = 0, y = 0 } = node.position ?? {}
      const spread = { x: x + (copy % 8) * 1100, y: y + Math.floor(copy / 8) * 800 }
      all.nodes.push({ ...node, position: place?.(all.nodes.length) ?? spread })
    }
    all.edges.push(...edges.map((edge) => ({ ...edge, id: `${edge.id}-${copy}` })))
  }
  const { slug } = await manage<{ slug: string }>('POST', '/api/v1/chatflows', {
    name: 'Large',
    type: 'CHATFLOW',
    flowData: JSON.stringify(all),
  })
  return slug
}
