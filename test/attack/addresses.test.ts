import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { start, step, steps } from '../support/agent-drawing.ts'
import { makePlatform } from '../support/platform.ts'
import { website } from '../support/website.ts'
import { drawing, SEED, tries } from './support.ts'

/** A service of this machine that trusts whoever calls it. */
const secret = await website({ '/': 'the secret page of this machine' })
/** A site that leads to what stands in its query. It alone is allowed. */
let leadsTo = ''
const site = await website({
  '/away': (_request, response) => void response.writeHead(302, { location: leadsTo }).end(),
})
const settings = { EGRESS_ALLOW: new URL(site.url).host }
const platform = await makePlatform(settings, { servers: 1 })

const NAMES = [
  ...[
    '127.0.0.1',
    'localhost',
    'LOCALHOST.',
    '127.1',
    '127.8.8.8',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
  ],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    hostname(),
  ],
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    'localhost.localdomain',
    '10.0.0.1',
    '169.254.169.254',
    '100.100.100.200',
    '[fd00:ec2::254]',
  ],
]
const PORTS = [new URL(secret.url).port, new URL(platform.url).port]
const PATHS = ['/', '/metrics', '/api/v1/chatflows', '/?api_key=1', '//evil.example/', '/%2e%2e/']
const USERS = ['', 'user:password@', 'evil.example@', '127.0.0.1:80@']

const flowOf = async (url: string, on = platform) => {
  const nodes = [start(), step('httpAgentflow_0', { method: 'GET', url })]
  const flowData = { nodes, edges: steps('startAgentflow_0 > httpAgentflow_0') }
  const body = { name: 'attack', flowData }
  return (await on.manage<{ id: string }>('POST', '/api/v1/chatflows', body)).body.id
}

test(`no spelling of an address leads a flow to this machine or a private one (seed ${SEED}) [egress:loopback, egress:own-port]`, async () => {
  const draw = drawing()
  const away = await flowOf(`${site.url}/away`)
  let refused = 0
  for (let number = 0; number < tries(60); number++) {
    const url = `http://${draw(USERS)}${draw(NAMES)}:${draw(PORTS)}${draw(PATHS)}`
    const byRedirect = draw([true, false])
    leadsTo = encodeURI(url)
    const flow = byRedirect ? away : await flowOf(url)
    const forwarded = draw([{}, { 'x-forwarded-for': '127.0.0.1' }])
    const asked = { body: { question: 'Anything' }, headers: forwarded }
    const { status, text } = await platform.call('POST', `/api/v1/prediction/${flow}`, asked)
    assert.ok(status >= 400, `try ${number}, ${byRedirect ? 'a redirect to ' : ''}${url}: ${status} ${text}`)
    if (status === 403) refused += 1
    if (!byRedirect) await platform.manage('DELETE', `/api/v1/chatflows/${flow}`)
  }
  assert.ok(refused > tries(60) / 2, `${refused} were refused by the rules`)
  assert.deepEqual(secret.asked, [])
})
