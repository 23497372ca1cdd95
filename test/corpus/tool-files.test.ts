import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { exportedTool } from '../../src/flow/import/exported-tools.ts'
import { isTool } from '../../src/flow/import/export-file.ts'
import { isObject, type JsonObject } from '../../src/kit/json.ts'
import { codeTool } from '../../src/openapi/custom-tool/code-tool.ts'
import { toolProblems } from '../../src/openapi/custom-tool/tool-problems.ts'
import { codeRunner } from '../../src/openapi/sandbox/code-runner.ts'
import { startChatServer } from '../support/chat-server.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { recordedEgress } from '../support/recorded-services.ts'

const corpus = process.env.SLUICE_CORPUS
const folder = path.join(corpus ?? '', 'flows')
const skip = corpus === undefined && 'SLUICE_CORPUS is not set'

test('every tool file of the corpus that is said to run returns something when it is called [customtools:file]', {
  skip,
}, async (t) => {
  const [chat, embeddings] = await Promise.all([startChatServer(), startProviderServer()])
  t.after(() => {
    chat.close()
    embeddings.close()
  })
  const egress = recordedEgress({}, { chat, embeddings })
  const failed: string[] = []
  let called = 0
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const read: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
    const tool = isObject(read) && isTool(read) ? exportedTool(read) : undefined
    if (!tool || toolProblems(tool).length > 0) continue
    called += 1
    const { parameters, call } = codeTool(tool, { egress, code: codeRunner, flowId: 'flow' })
    const names = Object.keys(parameters.properties as JsonObject)
    const input = Object.fromEntries(names.map((name) => [name, 'a text']))
    const outcome = await call(input, AbortSignal.timeout(60_000))
    if (outcome.failed) failed.push(`${file}: ${outcome.output}`)
  }
  t.diagnostic(`${called} tools`)
  assert.deepEqual(failed, [])
})
