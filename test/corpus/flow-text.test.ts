import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { importExport } from '../../src/flow/import/import.ts'
import { flowOfText, readFlowText, type TextFlow, textOfFlow } from '../../src/flow/text/flow-text.ts'
import { isObject, type JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'

const corpus = process.env.SLUICE_CORPUS

/** Folders of flow files: that of the corpus, and more by `SLUICE_FLOW_FILES`, apart by colons. */
const folders = [
  ...(corpus === undefined ? [] : [path.join(corpus, 'flows')]),
  ...(process.env.SLUICE_FLOW_FILES?.split(':') ?? []),
]

const nothing = { catalog, credentials: new Set<string>(), flows: new Set<string>() }

/** A file as it was exported, and each flow that an import makes of it. */
function flowsIn(file: string): TextFlow[] {
  const exported = JSON.parse(readFileSync(file, 'utf8')) as unknown
  if (!isObject(exported) || !Array.isArray(exported.nodes)) return []
  const flow = (flowData: JsonObject): TextFlow => ({
    name: path.basename(file, '.json'),
    type: 'CHATFLOW',
    flowData: JSON.stringify(flowData),
    config: {},
  })
  return [
    flow(exported as JsonObject),
    ...importExport(exported, nothing).flows.map((one) => flow(one.flowData)),
  ]
}

if (folders.length === 0) {
  test('flow files are the same text after they were pushed', { skip: 'SLUICE_CORPUS is not set' })
} else {
  for (const folder of folders)
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
      test(`${file} is the same text after it was pushed, as exported and as imported [flow:text]`, () => {
        for (const flow of flowsIn(path.join(folder, file))) {
          const text = textOfFlow(flow, catalog)
          const alone = readFlowText(text, catalog)
          assert.deepEqual(alone.mistakes, [], text)
          assert.equal(textOfFlow(flowOfText(alone.flow!, ''), catalog), text)
          const onto = readFlowText(text, catalog, flow)
          assert.deepEqual(onto.mistakes, [])
          assert.equal(
            JSON.stringify(onto.flow!.drawing),
            flow.flowData,
            'a push of the same text changes no byte',
          )
        }
      })
}
