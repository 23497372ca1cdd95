import assert from 'node:assert/strict'
import { hostname, networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { createEgressRules, listsHost, type RuleTexts } from './rules.ts'

type Case = [host: string, addresses: string[], allowed: boolean, port?: number]

function judge(rules: RuleTexts, cases: readonly Case[]): void {
  const { check } = createEgressRules(rules)
  for (const [host, addresses, allowed, port = 443] of cases) {
    const call = () => check(host, port, addresses)
    const said = `${host}:${port} at ${addresses.join(' ')}`
    if (allowed) assert.doesNotThrow(call, said)
    else assert.throws(call, { code: 'egress_denied' }, said)
  }
}

test('check() lets public addresses pass and nothing else, whatever the name', () =>
  judge({}, [
    ['example.com', ['93.184.215.14', '2606:2800::1'], true],
    ['93.184.215.14', ['93.184.215.14'], true],
    ['nothing.example.com', [], false],
    ['localhost', ['127.0.0.1'], false],
    ['inside.example.com', ['10.0.0.8'], false],
    ['[::1]', ['::1'], false],
    ['metadata.google.internal', ['169.254.169.254'], false],
    ['odd.example.com', ['no address'], false],
  ]))

test('check() refuses a name when one of its addresses is not allowed', () =>
  judge({}, [['both.example.com', ['93.184.215.14', '192.168.0.1'], false]]))

test('check() opens this machine to a provider whose address names it, and to nothing else', () => {
  const { check } = createEgressRules({ loopback: true })
  for (const [host, addresses, purpose, allowed] of [
    ['localhost', ['127.0.0.1', '::1'], 'provider', true],
    ['127.0.0.1', ['127.0.0.1'], 'provider', true],
    ['[::1]', ['::1'], 'provider', true],
    ['localhost', ['127.0.0.1', '::1'], 'any', false],
    ['127.0.0.1', ['127.0.0.1'], 'any', false],
    ['127.0.0.1', ['127.0.0.1'], 'mcp', false],
    // A name that its owner can lead anywhere.
    ['looks-public.example.com', ['127.0.0.1'], 'provider', false],
    ['0.0.0.0', ['0.0.0.0'], 'provider', false],
    ['inside.example.com', ['10.0.0.8'], 'provider', false],
  ] as const) {
    const call = () => check(host, 11_434, addresses, purpose)
    if (allowed) assert.doesNotThrow(call, `${host} ${purpose}`)
    else assert.throws(call, { code: 'egress_denied' }, `${host} ${purpose}`)
  }
  assert.throws(() => createEgressRules({}).check('localhost', 11_434, ['127.0.0.1'], 'provider'))
})

test('check() opens the port of the server itself to nothing, by whatever name and setting', () => {
  const allow = ['127.0.0.0/8', '::1', '0.0.0.0', '::', 'localhost', hostname(), '0.0.0.0/0', '::/0']
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  const rules = createEgressRules({ allow, mcp: allow, loopback: true, ownPort: () => 3000 })
  for (const address of [
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '0.0.0.0',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
  ])
    for (const host of [address, 'localhost', hostname(), 'docs.example.com'])
      for (const purpose of ['any', 'provider', 'mcp'] as const)
        assert.throws(() => rules.check(host, 3000, [address], purpose), {
          message: /:3000: it is this server itself$/,
        })
  for (const { address } of own) assert.throws(() => rules.check('x', 3000, [address]), /this server itself/)
  assert.doesNotThrow(() => rules.check('localhost', 3001, ['127.0.0.1']))
  // Before the server listens on a port that the system chooses, there is none.
  const early = createEgressRules({ allow, ownPort: () => undefined })
  assert.doesNotThrow(() => early.check('localhost', 3000, ['127.0.0.1']))
})

test('check() opens to MCP what MCP_ALLOW lists, and nothing else', () => {
  const { check } = createEgressRules({
    allow: ['tools.example'],
    mcp: ['mcp.example', '127.0.0.1:81'],
    deny: ['bad.mcp.example'],
  })
  assert.doesNotThrow(() => check('mcp.example', 443, ['10.0.0.1'], 'mcp'))
  assert.doesNotThrow(() => check('127.0.0.1', 81, ['127.0.0.1'], 'mcp'))
  for (const [host, address] of [
    ['tools.example', '10.0.0.1'],
    ['public.example', '93.184.215.14'],
    ['mcp.example', '169.254.169.254'],
  ] as const)
    assert.throws(() => check(host, 443, [address], 'mcp'), {
      facts: {
        host: `${host}:443`,
        reason: 'MCP_ALLOW does not list it',
        hint: `To allow it, add it to the setting: MCP_ALLOW=…,${host}:443`,
      },
    })
  assert.throws(() => check('mcp.example', 443, ['10.0.0.1']), /EGRESS_ALLOW/)
})

test('check() takes names, ports, wildcards, addresses and ranges as additions', () =>
  judge(
    {
      allow: [
        'Ollama',
        'db.corp:8080',
        '*.intern.example',
        '10.1.2.3',
        '[fd12::7]:99',
        '172.16.0.0/12',
        '10.9.9.9:81',
      ],
    },
    [
      ['ollama', ['192.168.0.5'], true],
      ['ollama.', ['192.168.0.5'], true],
      ['db.corp', ['10.0.0.1'], true, 8080],
      ['db.corp', ['10.0.0.1'], false, 8081],
      ['a.intern.example', ['10.0.0.1'], true],
      ['a.b.intern.example', ['10.0.0.1'], true],
      ['intern.example', ['10.0.0.1'], false],
      ['evilintern.example', ['10.0.0.1'], false],
      ['anything', ['10.1.2.3'], true],
      ['anything', ['::ffff:10.1.2.3'], true],
      ['anything', ['10.1.2.4'], false],
      ['[fd12::7]', ['fd12::7'], true, 99],
      ['[fd12::7]', ['fd12::7'], false, 98],
      ['anything', ['172.20.0.1'], true],
      ['anything', ['172.20.0.1', '10.0.0.1'], false],
      ['10.9.9.9', ['10.9.9.9'], true, 81],
      ['10.9.9.9', ['10.9.9.9'], false, 80],
    ],
  ))

test('check() opens metadata and link-local addresses to no name, only to an entry that writes them out', () => {
  judge({ allow: ['*.corp.example'] }, [
    ['a.corp.example', ['169.254.169.254'], false],
    ['a.corp.example', ['100.100.100.200'], false],
    ['a.corp.example', ['64:ff9b::a00:1'], false],
  ])
  judge({ allow: ['169.254.169.254', '64:ff9b::/96'] }, [
    ['metadata', ['169.254.169.254'], true],
    ['through-nat64.example.com', ['64:ff9b::808:808'], true],
  ])
})

test('check() lets a denial win over everything', () =>
  judge(
    {
      allow: ['10.0.0.0/8', '127.0.0.0/8', 'ollama'],
      deny: ['10.0.0.1', '*.bad.example', '127.0.0.1:5432', 'ollama', '::ffff:8.8.0.0/112'],
    },
    [
      ['x', ['10.0.0.2'], true],
      ['x', ['10.0.0.1'], false],
      ['x', ['::ffff:10.0.0.1'], false],
      ['x', ['10.0.0.2', '10.0.0.1'], false],
      ['a.bad.example', ['93.184.215.14'], false],
      ['localhost', ['127.0.0.1'], true, 80],
      ['localhost', ['127.0.0.1'], false, 5432],
      ['OLLAMA', ['93.184.215.14'], false],
      ['dns', ['8.8.8.8'], false],
    ],
  ))

test('check() names the host and the way out', () => {
  const { check } = createEgressRules({})
  assert.throws(() => check('[fd12::1]', 8080, ['fd12::1']), {
    message: 'This server may not call [fd12::1]:8080: EGRESS_ALLOW does not list it',
    facts: {
      host: '[fd12::1]:8080',
      reason: 'EGRESS_ALLOW does not list it',
      hint: 'To allow it, start the server with EGRESS_ALLOW=[fd12::1]:8080',
    },
  })
})

test('check() names a denial as the reason', () => {
  const { check } = createEgressRules({ deny: ['example.com'] })
  assert.throws(() => check('example.com', 443, ['93.184.215.14']), {
    facts: {
      host: 'example.com:443',
      reason: 'EGRESS_DENY forbids it',
      hint: 'To allow it, take it out of the setting EGRESS_DENY',
    },
  })
})

for (const entry of ['a b', '10.0.0.0/33', 'http://x', '*', 'a.*.b', '/8'])
  test(`createEgressRules() refuses the entry ${entry}`, () => {
    assert.throws(() => createEgressRules({ deny: [entry] }), {
      code: 'config_invalid',
      message: /EGRESS_DENY/,
    })
  })

test('listsHost() finds a URL in a list by its name, its address and its port', () => {
  const list = ['mcp.example.com', '*.tools.test', '127.0.0.1:3000', '10.0.0.0/8']
  for (const [url, listed] of [
    ['https://mcp.example.com/mcp', true],
    ['https://MCP.example.com./mcp', true],
    ['https://other.example.com/mcp', false],
    ['http://a.tools.test/', true],
    ['http://tools.test/', false],
    ['http://127.0.0.1:3000/mcp', true],
    ['http://127.0.0.1:3001/mcp', false],
    ['http://10.1.2.3/', true],
  ] as const)
    assert.equal(listsHost('MCP_ALLOW', list, new URL(url)), listed, url)
  assert.throws(() => listsHost('MCP_ALLOW', ['a b'], new URL('http://a')), /MCP_ALLOW/)
})

test('checkUnresolved() refuses what no address of a name could open, and asks no name server', () => {
  for (const [texts, host, purpose, allowed] of [
    [{}, 'api.openai.com', 'provider', true],
    [{ deny: ['api.openai.com'] }, 'api.openai.com', 'provider', false],
    [{}, 'localhost', 'provider', false],
    [{ loopback: true }, 'localhost', 'provider', true],
    [{ loopback: true }, 'localhost', 'any', false],
    [{ allow: ['localhost'] }, 'localhost', 'any', true],
    [{ allow: ['10.0.0.0/8'] }, 'localhost', 'any', false],
    [{}, '192.168.1.7', 'provider', false],
    [{ allow: ['192.168.0.0/16'] }, '192.168.1.7', 'provider', true],
    [{}, 'host.docker.internal', 'provider', false],
    [{ allow: ['host.docker.internal:80'] }, 'host.docker.internal', 'provider', true],
    [{}, 'ollama', 'provider', false],
    // The range may hold its address.
    [{ allow: ['172.16.0.0/12'] }, 'ollama', 'provider', true],
    [{ allow: ['172.16.0.0/12'], deny: ['ollama'] }, 'ollama', 'provider', false],
    [{}, 'mcp.example.com', 'mcp', false],
    [{ mcp: ['mcp.example.com'] }, 'mcp.example.com', 'mcp', true],
    [{ mcp: ['93.184.0.0/16'] }, 'mcp.example.com', 'mcp', true],
    [{ allow: ['mcp.example.com'] }, 'mcp.example.com', 'mcp', false],
  ] as const) {
    const call = () => createEgressRules(texts as RuleTexts).checkUnresolved(host, 80, purpose)
    const said = `${host} ${purpose} ${JSON.stringify(texts)}`
    if (allowed) assert.doesNotThrow(call, said)
    else assert.throws(call, { code: 'egress_denied' }, said)
  }
})
