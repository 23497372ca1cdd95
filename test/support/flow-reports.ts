import assert from 'node:assert/strict'
import type { CheckedFlowAnswer, ReportRowAnswer } from '../../src/api/flow-report.ts'
import { start, step, steps } from './agent-drawing.ts'
import type { TestPlatform } from './platform.ts'

/** The inputs of a node of a drawing. */
type Inputs = Record<string, unknown>
type Report = { runs: string; rows: ReportRowAnswer[] }
export type Checked = Report & { flows: CheckedFlowAnswer[]; others: ReportRowAnswer[] }
type Imported = {
  flow: { id: string; name: string; problems: unknown[] }
  report: Report & { supported: boolean }
}
export type ImportedAll = Imported & { imported: Imported[]; others: ReportRowAnswer[] }

/** A node of a chat flow, of the kind in its id. */
export const chatNode = (id: string, inputs: Inputs = {}, more: object = {}) => {
  const name = id.replace(/_\d+$/, '')
  return { id, type: 'customNode', data: { id, name, label: name, inputs, ...more } }
}
/** What an input has that a node is plugged into. */
export const plugged = (id: string) => `{{${id}.data.instance}}`

/** A chat flow of an agent with these tools. */
export const agentWith = (...tools: ReturnType<typeof chatNode>[]) => ({
  nodes: [
    chatNode('chatOpenAI_0'),
    ...tools,
    chatNode('toolAgent_0', { model: plugged('chatOpenAI_0'), tools: tools.map(({ id }) => plugged(id)) }),
  ],
  edges: [],
})

/** An agent flow of a Start node and this step. */
export const flowOf = (name: string, inputs: Inputs, startInputs: Inputs = {}) => ({
  nodes: [start(startInputs), step(`${name}_0`, inputs)],
  edges: steps(`startAgentflow_0 > ${name}_0`),
})

/** Without the notes on credentials that the key of the server stands in for. */
export const withoutKeys = (rows: readonly ReportRowAnswer[]) =>
  rows.filter(({ input }) => input !== 'credential')

/** A chat flow of a chain over a model with these inputs. */
export const chain = (model: Inputs) => ({
  nodes: [
    chatNode('chatOpenAI_0', model),
    chatNode('conversationChain_0', { model: plugged('chatOpenAI_0') }),
  ],
  edges: [],
})

/** How a test checks and imports exports at a platform. */
export function reporting(platform: TestPlatform) {
  async function check(exported: object): Promise<Checked> {
    const answer = await platform.manage<Checked>('POST', '/api/v1/flows/validate', { exported })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  /** Imports, and compares with what a check of the same export says. */
  async function take(exported: object): Promise<ImportedAll> {
    const before = await check(exported)
    const answer = await platform.manage<ImportedAll>('POST', '/api/v1/chatflows/import', exported)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(
      answer.body.imported.map(({ report: { runs, rows } }) => ({ runs, rows })),
      before.flows.map(({ runs, rows }) => ({ runs, rows })),
      'the import says what the check says',
    )
    return answer.body
  }

  return { check, take }
}
