import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Egress, EgressFetch } from '../../src/kit/egress/client.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { GMAIL_ACTIONS } from '../../src/tools/gmail/actions.ts'
import { rawMail } from '../../src/tools/gmail/raw-mail.ts'
import { builtPart, callTool } from '../support/built-part.ts'

const GRANT = {
  clientId: 'client',
  clientSecret: 'secret-of-the-client',
  refresh_token: 'refresh-of-the-test',
}
const TOKEN = 'ya29.token-of-the-test-0123456789'

type Asked = { method: string; address: string; headers: Headers; body: string }

/** Google, as it describes itself: it gives a token for the right grant, and answers calls of Gmail that have it. */
function google(status = 200, answer: JsonObject = { id: 'm1' }) {
  const asked: Asked[] = []
  const call: EgressFetch = async (input, init = {}) => {
    const headers = new Headers(init.headers)
    const one = {
      method: init.method ?? 'GET',
      address: String(input),
      headers,
      body: String(init.body ?? ''),
    }
    asked.push(one)
    if (one.address === 'https://oauth2.googleapis.com/token')
      return new URLSearchParams(one.body).get('refresh_token') === GRANT.refresh_token
        ? Response.json({ access_token: TOKEN, expires_in: 3599 })
        : Response.json({ error: 'invalid_grant' }, { status: 400 })
    if (headers.get('authorization') !== `Bearer ${TOKEN}`) return Response.json({}, { status: 401 })
    return Response.json(answer, { status })
  }
  const egress: Egress = {
    fetch: call,
    limited: () => call,
    socket: () => assert.fail('no socket is needed'),
    forProvider: () => egress,
    forMcp: () => egress,
    checkPlace: () => {},
    close: async () => {},
  }
  return { asked, egress }
}

async function toolsOf(egress: Egress, inputs: JsonObject, grant: Record<string, string> = GRANT) {
  const services = { egress, credential: async () => grant }
  const { tools } = builtPart('tools', 'gmail', { credential: 'c', ...inputs }, services)
  return tools(new AbortController().signal)
}

const decoded = (raw: string) => Buffer.from(raw, 'base64url').toString('utf8')

test('gmail sends a mail with a token that Google gives for the refresh token of its credential', async () => {
  const { asked, egress } = google()
  const inputs = { gmailType: 'messages', messageActions: '["sendMessage"]' }
  const [tool, ...others] = await toolsOf(egress, inputs)
  assert.deepEqual([tool!.name, tool!.unsafe, others.length], ['send_message', true, 0])
  const { output, failed, http } = await callTool(tool!, {
    to: 'ada@example.com',
    subject: 'Größe',
    body: 'Two lines,\nno tags',
  })
  assert.deepEqual([output, failed], ['HTTP 200\n\n{"id":"m1"}', undefined])
  assert.doesNotMatch(JSON.stringify(http), /ya29/)
  const [token, sent] = asked as [Asked, Asked]
  assert.deepEqual(Object.fromEntries(new URLSearchParams(token.body)), {
    grant_type: 'refresh_token',
    client_id: 'client',
    client_secret: 'secret-of-the-client',
    refresh_token: 'refresh-of-the-test',
  })
  assert.equal(
    `${sent.method} ${sent.address}`,
    'POST https://gmail.googleapis.com/gmail/v1/users/me/messages/send',
  )
  const mail = decoded(JSON.parse(sent.body).raw)
  assert.match(mail, /^To: ada@example\.com\r\nSubject: =\?UTF-8\?B\?R3LDtsOfZQ==\?=\r\n/)
  assert.match(mail, /Content-Type: text\/plain; charset=utf-8\r\n/)
  assert.equal(Buffer.from(mail.split('\r\n\r\n')[1]!, 'base64').toString('utf8'), 'Two lines,\nno tags')
})

test('gmail asks the model for no value that the author has set, and uses that one', async () => {
  const { asked, egress } = google()
  const inputs = {
    gmailType: 'messages',
    messageActions: 'sendMessage, listMessages',
    messageTo: 'boss@example.com',
  }
  const [send, list] = await toolsOf(egress, { ...inputs, messageMaxResults: 5 })
  const properties = (tool: typeof send) => Object.keys(tool!.parameters.properties as object)
  assert.deepEqual(properties(send), ['subject', 'body', 'cc', 'bcc'])
  assert.deepEqual([properties(list), list!.unsafe], [['query'], undefined])
  await callTool(send!, { to: 'thief@example.com', subject: 'S' })
  await callTool(list!, { query: 'is:unread' })
  assert.match(decoded(JSON.parse(asked[1]!.body).raw), /^To: boss@example\.com\r\n/)
  assert.match(asked[2]!.address, /\/messages\?maxResults=5&q=is%3Aunread$/)
  assert.equal(asked.filter(({ address }) => /oauth2/.test(address)).length, 1)
})

test('each action of gmail becomes a call of its part of the API', () => {
  const values = { id: 'a/b', to: 'x@example.com', labelName: 'L', labelColor: '#ff0000' }
  const calls = Object.entries(GMAIL_ACTIONS).map(([name, { call, type, changes }]) => {
    const { method, path } = call(values)
    assert.ok(path.startsWith(`/${type}`), name)
    assert.equal(changes, method !== 'GET', name)
    return `${name} ${method} ${path}`
  })
  assert.equal(calls.length, 24)
  for (const expected of [
    'updateDraft PUT /drafts/a%2Fb',
    'sendDraft POST /drafts/send',
    'trashMessage POST /messages/a%2Fb/trash',
    'modifyThread POST /threads/a%2Fb/modify',
    'createLabel POST /labels',
  ])
    assert.ok(calls.includes(expected), expected)
})

test('gmail tells the model what went wrong, without a secret, and refuses a line break in a header', async () => {
  const inputs = { gmailType: 'messages', messageActions: '["sendMessage", "getMessage"]' }
  const refused = google(404, { error: { message: 'Not Found' } })
  const [, get] = await toolsOf(refused.egress, inputs)
  const missing = await callTool(get!, { id: 'm2' })
  assert.deepEqual([missing.failed, /HTTP 404\s[\s\S]*Not Found/.test(missing.output)], [true, true])
  assert.match((await callTool(get!, {})).output, /id is missing/)
  const [send] = await toolsOf(google().egress, inputs, { ...GRANT, refresh_token: 'old' })
  assert.match(
    (await callTool(send!, { to: 'a@example.com' })).output,
    /it gave no token: it answered 400: invalid_grant/,
  )
  assert.throws(() => rawMail({ to: 'a@example.com\r\nBcc: b@example.com' }), /to has a line break/)
  assert.throws(() => rawMail({ to: 'a@example.com', subject: 'x\ny' }), /subject has a line break/)
})

test('gmail refuses an action that is none, none at all, and a credential without a grant', async () => {
  const { egress } = google()
  for (const [inputs, message] of [
    [{ gmailType: 'messages' }, /no action is chosen/],
    [{ gmailType: 'labels', labelActions: '["toString"]' }, /there is no action toString/],
  ] as [JsonObject, RegExp][])
    await assert.rejects(toolsOf(egress, inputs), { code: 'input_invalid', message })
  const inputs = { gmailType: 'labels', labelActions: '["listLabels"]' }
  const [list] = await toolsOf(egress, inputs, { clientId: 'client' })
  assert.match((await callTool(list!, {})).output, /no client id, client secret or refresh token/)
})
