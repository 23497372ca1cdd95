import assert from 'node:assert/strict'
import { test } from 'node:test'
import robotsParser from 'robots-parser'
import { readRobots } from '../../src/sources/web/robots-rules.ts'
import { randomBelow } from '../support/random.ts'

// Its types call the function that the module is its `default`.
const parse = robotsParser as unknown as (
  url: string,
  text: string,
) => {
  isAllowed(url: string, agent: string): boolean | undefined
  getCrawlDelay(agent: string): number | undefined
  getSitemaps(): string[]
}

const SITE = 'http://site.test'
const NAMES = ['*', 'sluice', 'Sluice/1.0', 'other', '']
const PATH = ['/', 'a', 'b', '*', '$', '?', '%2f', '%2F', 'é', ' ']
const LINES = [
  'Crawl-delay: 3',
  'Crawl-delay: x',
  'Sitemap: /s.xml',
  'Host: site.test',
  '# words',
  'words',
  '',
]

test('readRobots() and robots-parser agree on random rules and paths', async () => {
  const below = randomBelow(11)
  const one = <T>(from: readonly T[]): T => from[below(from.length)]!
  const path = () => (below(9) === 0 ? '' : '/') + Array.from({ length: below(6) }, () => one(PATH)).join('')
  const line = () => {
    const kind = below(10)
    if (kind < 2) return `User-Agent: ${one(NAMES)}`
    if (kind < 9) return `${one(['Allow', 'disallow', 'Disallow '])}: ${path()}${one(['', ' # why'])}`
    return one(LINES)
  }
  let refused = 0
  for (let round = 0; round < 5000; round++) {
    const text = ['User-agent: *', ...Array.from({ length: below(10) }, line)].join(one(['\n', '\r\n']))
    const theirs = parse(`${SITE}/robots.txt`, text)
    const ours = await readRobots(text, 'sluice')
    assert.equal(ours.delay, theirs.getCrawlDelay('sluice') ?? 0, text)
    assert.deepEqual(ours.sitemaps, theirs.getSitemaps(), text)
    for (let n = 0; n < 5; n++) {
      const url = new URL(`${SITE}/${path().replaceAll('*', '-')}`)
      const allowed = await ours.allows(url.pathname + url.search)
      assert.equal(allowed, theirs.isAllowed(url.href, 'sluice') ?? true, `${url.href}\n${text}`)
      if (!allowed) refused++
    }
  }
  assert.ok(refused > 2000, `${refused} refused`)
})
