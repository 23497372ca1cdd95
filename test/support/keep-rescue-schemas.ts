import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { schemaVersion } from '../../src/db/sqlite/migrations.ts'
import { start, step, steps } from './agent-drawing.ts'
import { KEPT_TEXTS, keepOld } from './rescue-schemas.ts'

/*
 * Makes the data directories that the tests of `sluice rescue` read: starts the server of a commit for each schema and tells it the
 * same by HTTP. It needs the history of the repository: npm exec -- node test/support/keep-rescue-schemas.ts
 */

/** The last commit with each schema. */
const COMMITS: Readonly<Record<number, string>> = {
  8: 'cfd92a18',
  9: 'aaf22bda',
  10: 'ff1f0f7f',
  11: '5866f806',
  12: '3eb84032',
  13: '28da07fa',
  14: '6a3c09b5',
  15: '7a198f00',
  16: 'd39967af',
  17: '955fd646',
  18: 'f2cec4ea',
  19: 'a5f304df',
  20: 'ffef0307',
  21: '3e001d39',
  22: 'f08e4043',
  23: 'bce51430',
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const ADMIN_KEY = 'a key of the one who keeps the directories'

const directReply = {
  nodes: [start(), step('directReplyAgentflow_0', { directReplyMessage: KEPT_TEXTS.answer })],
  edges: steps('startAgentflow_0 > directReplyAgentflow_0'),
}

for (const [schema, commit] of Object.entries(COMMITS)) {
  const room = mkdtempSync(path.join(tmpdir(), 'sluice-rescue-'))
  try {
    await keep(Number(schema), commit, room)
    console.log(`schema ${schema} of ${commit}`)
  } finally {
    rmSync(room, { recursive: true, force: true })
  }
}

async function keep(schema: number, commit: string, room: string): Promise<void> {
  const archive = execFileSync(
    'git',
    ['archive', commit, 'src', 'bin', 'models', 'examples', 'package.json'],
    {
      cwd: root,
      maxBuffer: 2 ** 30,
    },
  )
  execFileSync('tar', ['x', '-C', room], { input: archive })
  symlinkSync(path.join(root, 'node_modules'), path.join(room, 'node_modules'))
  const data = path.join(room, 'data')
  const child = spawn(
    process.execPath,
    ['bin/sluice.js', 'start', '--port', '0', '--host', '127.0.0.1', '--data-dir', data],
    { cwd: room, env: { ADMIN_KEY, PATH: process.env.PATH }, stdio: ['ignore', 'inherit', 'pipe'] },
  )
  const ended = once(child, 'exit')
  const facts = await tell(await listening(child.stderr!))
  child.kill('SIGTERM')
  await ended
  const file = path.join(data, 'sluice.db')
  const connection = new Connection(file)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const found = schemaVersion(connection)
  connection.close()
  if (found !== schema) throw new Error(`the commit ${commit} has the schema ${found}, not ${schema}`)
  keepOld(schema, data, facts)
}

function listening(log: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    log.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const [, url] = /"url":"(http[^"]+)"/.exec(text) ?? []
      if (url !== undefined) resolve(url)
    })
    log.on('end', () => reject(new Error(`the server did not start: ${text}`)))
  })
}

/** Tells a server all that is rescued. */
async function tell(url: string) {
  async function send(method: string, route: string, body: unknown, key: string = ADMIN_KEY) {
    const answer = await fetch(`${url}/api/v1/${route}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, string>
  }
  const credential = await send('POST', 'credentials', {
    name: 'Model of the harbour',
    credentialName: 'openAIApi',
    plainDataObj: { openAIApiKey: KEPT_TEXTS.credential },
  })
  await send('POST', 'variables', { name: 'master', type: 'static', value: KEPT_TEXTS.variable })
  const key = await send('POST', 'apikey', { keyName: 'Harbour office' })
  const flow = await send('POST', 'chatflows', {
    name: 'Reply',
    slug: 'reply',
    type: 'AGENTFLOW',
    flowData: JSON.stringify(directReply),
    apikeyid: key.id,
  })
  await send('POST', 'chatflows', {
    name: 'Model',
    slug: 'model',
    flowData: JSON.stringify({
      nodes: [
        {
          id: 'chatOpenAI_0',
          data: {
            id: 'chatOpenAI_0',
            name: 'chatOpenAI',
            credential: credential.id,
            inputs: { modelName: 'gpt-5' },
          },
        },
      ],
      edges: [],
    }),
  })
  const said = await send(
    'POST',
    `prediction/${flow.id}`,
    { question: KEPT_TEXTS.question, overrideConfig: { sessionId: 'kept' } },
    key.apiKey,
  )
  await send('POST', `feedback/${flow.id}`, {
    chatId: said.chatId,
    messageId: said.chatMessageId,
    rating: 'THUMBS_UP',
    content: 'quick',
  })
  await send('POST', 'leads', {
    chatflowid: flow.id,
    chatId: said.chatId,
    name: 'Ann',
    email: 'ann@example.org',
  })
  return { apiKey: key.apiKey!, credentialId: credential.id!, flowId: flow.id! }
}
