import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { drawTemplate } from '../../src/flow/templates/draw-template.ts'
import { TEMPLATES } from '../../src/flow/templates/templates.ts'
import { readGraph } from '../../src/flow/graph.ts'
import { flowOfText, readFlowText, type TextFlow, textOfFlow } from '../../src/flow/text/flow-text.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { randomBelow } from '../support/random.ts'

type Drawn = { nodes: { id: string; data: JsonObject & { inputs: JsonObject } }[]; edges: JsonObject[] }

const quickstart = (): TextFlow => templateFlow('quickstart')

function templateFlow(name: string): TextFlow {
  const template = TEMPLATES.find((one) => one.name === name)!
  const { flowData, apiConfig, type } = drawTemplate(template, catalog)
  return { name: template.title, type, flowData, config: { apiConfig } }
}

/** The flow that a text makes, alone or of a stored flow. */
function pushed(text: string, stored?: TextFlow): TextFlow {
  const { flow, mistakes } = readFlowText(text, catalog, stored)
  assert.deepEqual(mistakes, [])
  return flowOfText(flow!, stored?.name ?? '')
}

/** The mistakes of a text, each as `line:column message`. */
const mistakesOf = (text: string, stored?: TextFlow) =>
  readFlowText(text, catalog, stored).mistakes.map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  )

const drawingIn = ({ flowData }: TextFlow) => JSON.parse(flowData) as Drawn

for (const { name } of TEMPLATES)
  test(`the template ${name} is the same text after it was pushed, and runs the same [flow:text]`, () => {
    const flow = templateFlow(name)
    const text = textOfFlow(flow, catalog)
    const again = pushed(text)
    assert.equal(textOfFlow(again, catalog), text)
    assert.equal(again.type, flow.type)
    const [before, after] = [readGraph(flow.flowData), readGraph(again.flowData)]
    assert.deepEqual([...after.nodes.keys()], [...before.nodes.keys()])
    assert.deepEqual(after.steps, before.steps)
    for (const [id, node] of before.nodes)
      for (const [input, value] of Object.entries(node.inputs)) {
        const now = after.nodes.get(id)!.inputs[input]
        assert.deepEqual(now ?? '', value ?? '', `${id}.${input}`)
      }
    assert.equal(pushed(text, flow).flowData, flow.flowData, 'a push of the same text changes no byte')
  })

test('the text of a flow is short: no default, no form, places only where a person chose them [flow:text]', () => {
  const text = textOfFlow(quickstart(), catalog)
  assert.doesNotMatch(text, /inputParams|baseClasses|position|topK:|chunkOverlap:/)
  assert.match(text, /^flow: /)
  assert.match(text, /embeddings: <- builtInEmbeddings_0/)
  assert.ok(text.split('\n').length < 90, text)
})

test('a text without places is drawn in columns, and says no places again [flow:text]', () => {
  const text = textOfFlow(quickstart(), catalog).replace(/\nplaces:\n(?: .*\n)+/, '')
  const flow = pushed(text)
  assert.equal(textOfFlow(flow, catalog), text)
  const places = new Set(
    drawingIn(flow).nodes.map((node) => JSON.stringify((node as unknown as JsonObject).position)),
  )
  assert.equal(places.size, drawingIn(flow).nodes.length)
})

test('a moved node has its place in the text, and only it [flow:text]', () => {
  const bare = pushed(textOfFlow(quickstart(), catalog).replace(/\nplaces:\n(?: .*\n)+/, ''))
  const drawing = drawingIn(bare)
  Object.assign(drawing.nodes[1]!, { position: { x: 777.4, y: -12 } })
  const text = textOfFlow({ ...bare, flowData: JSON.stringify(drawing) }, catalog)
  assert.match(text, /\nplaces:\n {2}\w+: \[777, -12\]\n$/)
})

test('a text of several lines is a block, and any text comes back as it was [flow:text]', () => {
  const below = randomBelow(7)
  const pieces = [
    '\n',
    ' ',
    '  ',
    '\t',
    '\r',
    '- ',
    '#',
    ': ',
    '"',
    "'",
    '|',
    '>',
    '{{a.data.instance}}',
    '<- a',
    '!secret',
    '\u2028',
    '\u0085',
    'é',
    '𝒳',
    '\ufeff',
    '%',
    '@',
    '&x',
    '*x',
    '---',
    '...',
    'null',
    '1e3',
    '~',
    '\\',
    'word',
    '\u0000',
    '\ud800',
  ]
  const values = Array.from({ length: 150 }, () =>
    Array.from({ length: below(9) }, () => pieces[below(pieces.length)]!).join(''),
  )
  for (const systemMessage of [
    'a\nb\n',
    ' a\nb',
    'a\n\n',
    '\na',
    'a \n b',
    '<- builtInEmbeddings_0',
    ...values,
  ]) {
    const flow = templateFlow('agent-flow')
    const drawing = drawingIn(flow)
    drawing.nodes[1]!.data.inputs.agentUserMessage = systemMessage
    drawing.nodes[1]!.data.label = systemMessage || 'x'
    drawing.nodes[1]!.data.inputs.agentMessages = [
      { role: 'system', content: systemMessage, [systemMessage]: true },
    ]
    const changed = { ...flow, flowData: JSON.stringify(drawing) }
    const text = textOfFlow(changed, catalog)
    const again = pushed(text)
    const data = drawingIn(again).nodes[1]!.data
    assert.deepEqual(data.inputs.agentMessages, drawing.nodes[1]!.data.inputs.agentMessages, text)
    assert.equal(data.label, drawing.nodes[1]!.data.label)
    assert.equal(textOfFlow(again, catalog), text)
  }
  const prompt = templateFlow('agent-flow')
  const drawing = drawingIn(prompt)
  drawing.nodes[1]!.data.inputs.agentMessages = [{ role: 'system', content: 'Be kind.\nBe short.' }]
  const text = textOfFlow({ ...prompt, flowData: JSON.stringify(drawing) }, catalog)
  assert.match(text, /content: \|-\n +Be kind\.\n +Be short\.\n/)
})

const SECRET = 'sk-very-secret-0123456789'

/** A flow with a secret in every place where one can be typed. */
function secretFlow(): TextFlow {
  const flow = templateFlow('agent-flow')
  const drawing = drawingIn(flow)
  const inputs = drawing.nodes[1]!.data.inputs
  inputs.agentModelConfig = { modelName: 'gpt', maxTokens: 500, openAIApiKey: SECRET, credential: 'cred-1' }
  drawing.nodes.push(
    {
      id: 'httpAgentflow_0',
      type: 'agentFlow',
      position: { x: 1, y: 1 },
      data: {
        id: 'httpAgentflow_0',
        name: 'httpAgentflow',
        label: 'HTTP',
        inputs: {
          url: `https://ada:${SECRET}@example.com/x`,
          headers: [
            { key: 'Authorization', value: `Bearer ${SECRET}` },
            { key: 'Accept', value: 'text/plain' },
          ],
        },
      },
    } as never,
    {
      id: 'foreign_0',
      type: 'customNode',
      position: { x: 2, y: 2 },
      data: {
        id: 'foreign_0',
        name: 'foreign',
        label: 'Foreign',
        inputParams: [
          { name: 'apiKey', type: 'password' },
          { name: 'file', type: 'file' },
        ],
        inputs: { apiKey: SECRET, file: `data:text/plain;base64,${SECRET},filename:notes.txt` },
      },
    } as never,
  )
  return {
    ...flow,
    flowData: JSON.stringify(drawing),
    config: { ...flow.config, chatbotConfig: { token: SECRET } },
  }
}

test('no secret is in a text, and none is lost by a push [flow:text]', () => {
  const flow = secretFlow()
  const text = textOfFlow(flow, catalog)
  assert.doesNotMatch(text, /very-secret/)
  assert.match(text, /maxTokens: 500/)
  assert.match(text, /credential: cred-1/)
  assert.match(text, /url: !secret https:\/\/ada@example\.com\/x/)
  assert.match(text, /file: !stored notes\.txt, /)
  assert.equal(pushed(text, flow).flowData, flow.flowData)
  const changed = pushed(
    text.replace('label: HTTP', 'label: Call').replace('maxTokens: 500', 'maxTokens: 600'),
    flow,
  )
  const all = JSON.stringify(changed)
  assert.equal(all.split(SECRET).length, JSON.stringify(flow).split(SECRET).length)
  assert.equal(
    textOfFlow(changed, catalog),
    text.replace('label: HTTP', 'label: Call').replace('maxTokens: 500', 'maxTokens: 600'),
  )
})

test('a secret that is not known is told, and its mark is no value [flow:text]', () => {
  const { flow } = readFlowText(textOfFlow(secretFlow(), catalog), catalog)
  assert.deepEqual(flow!.missing.map(({ nodeId, input }) => `${nodeId} ${input}`).toSorted(), [
    'agentAgentflow_0 agentModelConfig',
    'foreign_0 apiKey',
    'foreign_0 file',
    'httpAgentflow_0 headers',
    'httpAgentflow_0 url',
    'null chatbotConfig.token',
  ])
})

test('what a drawing has that this server does not know is kept [flow:text]', () => {
  const flow = quickstart()
  const drawing = drawingIn(flow) as Drawn & JsonObject
  drawing.nodes.push({ strange: true } as never)
  drawing.edges.push({ source: 'nobody', target: 'nothing', id: 'x' })
  Object.assign(drawing, { usecases: ['Basic'], __more: { a: [1, { b: null }] } })
  Object.assign(drawing.nodes[0]!, { zIndex: 7, style: { width: 300 } })
  Object.assign(drawing.nodes[0]!.data, { ownField: 'kept' })
  drawing.nodes[0]!.data.inputs.inputOfElsewhere = 'kept, too'
  const changed = { ...flow, flowData: JSON.stringify(drawing) }
  const text = textOfFlow(changed, catalog)
  const again = pushed(text)
  assert.equal(textOfFlow(again, catalog), text)
  const now = drawingIn(again) as Drawn & JsonObject
  assert.partialDeepStrictEqual(now, { usecases: ['Basic'], __more: { a: [1, { b: null }] } })
  assert.deepEqual(now.nodes.at(-1), { strange: true })
  assert.deepEqual(now.edges.at(-1), { source: 'nobody', target: 'nothing', id: 'x' })
  assert.partialDeepStrictEqual(now.nodes[0], { zIndex: 7, style: { width: 300 } })
  assert.equal(now.nodes[0]!.data.ownField, 'kept')
  assert.equal(now.nodes[0]!.data.inputs.inputOfElsewhere, 'kept, too')
})

test('a mistake is told with line and column, and names the thing [flow:text]', () => {
  const node = (kind: string, more = '') => `nodes:\n  a_0:\n    node: ${kind}\n${more}`
  assert.deepEqual(mistakesOf(node('fileLoder')), [
    '3:11 There is no node fileLoder: did you mean fileLoader?',
  ])
  assert.deepEqual(mistakesOf(node('builtInVectorStore', '    inputs:\n      topKK: 3\n')), [
    '5:7 builtInVectorStore has no input topKK: did you mean topK?',
  ])
  assert.deepEqual(mistakesOf(node('builtInVectorStore', '    topK: 3\n')), [
    '4:5 a_0 has no topK: it is an input: write it below inputs',
  ])
  assert.deepEqual(mistakesOf(node('builtInVectorStore', '    inputs:\n      embeddings: <- b_0\n')), [
    '5:19 There is no node with the id b_0: did you mean a_0?',
  ])
  assert.deepEqual(mistakesOf(`${node('builtInEmbeddings')}  a_0:\n    node: fileLoader\n`), [
    '4:3 a_0 is there twice: it is in line 2, too',
  ])
  assert.deepEqual(mistakesOf(`${node('builtInEmbeddings')}lines:\n  - a_0 -> c_9\n`), [
    '5:5 The line leads to c_9, which is no node',
  ])
  assert.deepEqual(mistakesOf(`${node('builtInEmbeddings')}lines:\n  - a_0 to a_0\n`), [
    '5:5 A line is written as "from -> to", "from.output -> to" or "from -> to.input"',
  ])
  assert.deepEqual(mistakesOf('nodse: {}\n'), ['1:1 a flow has no nodse: did you mean nodes?'])
  assert.deepEqual(mistakesOf(`${node('builtInEmbeddings')}places:\n  a_0: here\n`), [
    '5:3 The place of a_0 is [x, y], and of a frame [x, y, width, height]',
  ])
  assert.deepEqual(mistakesOf('nodes:\n  fileLoader_0:\n    label: x\n'), [
    '2:3 fileLoader_0 has no kind: "node: NAME" says which it is: did you mean fileLoader?',
  ])
})

test('nodes that are plugged into each other in a circle are told at the input that closes it [flow:text]', () => {
  const text = `nodes:
  a_0:
    node: cohereRerankRetriever
    inputs:
      baseRetriever: <- b_0
  b_0:
    node: JinaRerankRetriever
    inputs:
      baseRetriever: <- a_0
`
  assert.deepEqual(mistakesOf(text), [
    '9:7 The nodes are plugged into each other in a circle: a_0 → b_0 → a_0',
  ])
})

test('a new node in a text gets what a node of its kind has, and its line [flow:text]', () => {
  const flow = quickstart()
  const text = textOfFlow(flow, catalog)
  const more = text.replace(
    /\nsettings:/,
    '\n  chatOpenAI_7:\n    node: chatOpenAI\n    inputs:\n      temperature: 0.2\n\nsettings:',
  )
  const now = drawingIn(pushed(more, flow))
  const added = now.nodes.find(({ id }) => id === 'chatOpenAI_7')!
  assert.equal(added.data.inputs.temperature, 0.2)
  assert.ok(Array.isArray(added.data.inputParams) && Array.isArray(added.data.outputAnchors))
  const before = drawingIn(flow)
  assert.deepEqual(
    now.nodes.filter(({ id }) => id !== 'chatOpenAI_7'),
    before.nodes,
    'the others are as they were',
  )
})

test('random damage of a text is a mistake with a line, or a flow, never a crash [flow:text]', () => {
  const below = randomBelow(11)
  const flow = secretFlow()
  const texts = [flow, quickstart(), templateFlow('event-agent')].map((one) => textOfFlow(one, catalog))
  const bits = [
    '\n',
    '  ',
    '- ',
    ': ',
    '{',
    '}',
    '[',
    ']',
    '"',
    '&a ',
    '*a',
    '!secret ',
    '!!binary ',
    '<<: ',
    '|\n',
    '? ',
    '<- ',
    'null',
    '\t',
    '#',
    '%YAML 1.1\n',
    '---\n',
    'a_0',
    '\u0000',
  ]
  for (let round = 0; round < 250; round++) {
    let text = texts[below(texts.length)]!
    for (let change = below(4) + 1; change > 0; change--) {
      const [at, length] = [below(text.length), below(3) === 0 ? below(60) : 0]
      text = text.slice(0, at) + (below(3) === 0 ? '' : bits[below(bits.length)]!) + text.slice(at + length)
    }
    const read = readFlowText(text, catalog, below(2) === 0 ? flow : undefined)
    if (!read.flow) {
      const lines = text.split('\n').length
      assert.ok(read.mistakes.length > 0, text)
      for (const { line, column, endLine } of read.mistakes)
        assert.ok(
          line >= 1 && line <= lines && column >= 1 && endLine >= line,
          `${line}:${column} in\n${text}`,
        )
      continue
    }
    const made = flowOfText(read.flow, '')
    const written = textOfFlow(made, catalog)
    const again = readFlowText(written, catalog, made)
    assert.deepEqual(again.mistakes, [], written)
    assert.equal(textOfFlow(flowOfText(again.flow!, ''), catalog), written)
  }
})

test('the flow of the documentation is right, and in the one form of writing [flow:text]', () => {
  const page = readFileSync(new URL('../../docs/flows-as-text.md', import.meta.url), 'utf8')
  const text = /```yaml\n([\s\S]*?)```/.exec(page)![1]!
  assert.equal(textOfFlow(pushed(text), catalog), text)
})
