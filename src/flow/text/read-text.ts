import type { Node } from 'yaml'
import { isObject } from '../../kit/json.ts'
import { didYouMean } from '../../kit/suggest.ts'
import type { Catalog } from '../catalog.ts'
import { insteadOfNode } from '../check/instead.ts'
import { readTextLine } from './drawn-lines.ts'
import { type FlowModel, inputsOfKind, type TextHead, type TextNode, type TextPlace } from './flow-model.ts'
import { Hidden, setMember, type TextObject, type TextValue } from './hidden.ts'
import { circleMistakes } from './text-circles.ts'
import { type Entry, type Mistake, readYaml, type TextExtent, type YamlText } from './read-yaml.ts'
import { ARROW } from './write-text.ts'

/** Where a node, or an input of it by its path in the text (`agentModelConfig.temperature`), is in a text. */
export type TextSpan = TextExtent & { nodeId: string; input: string | null }

/** A text that was read. `model` is undefined where there is a mistake. */
export type ReadText = { model: FlowModel | undefined; mistakes: Mistake[]; spans: TextSpan[] }

const TOP = ['flow', 'type', 'category', 'settings', 'nodes', 'lines', 'places', 'kept'] as const
const OF_A_NODE = ['node', 'label', 'inside', 'credential', 'output', 'inputs', 'kept'] as const
const KEPT = ['node', 'data', 'inputs'] as const

/**
 * Reads the text of a flow. Every mistake is told with its line: what is unknown here, double, missing, or connected in a circle.
 *
 * @param known the flow as this server has it: what it has already is no mistake, such as a node that this server does not know
 */
export function readFlowModel(text: string, catalog: Catalog, known?: FlowModel): ReadText {
  const yaml = readYaml(text)
  const spans: TextSpan[] = []
  const { mistakes, contents } = yaml
  if (mistakes.length > 0) return { model: undefined, mistakes, spans }
  const model: FlowModel = { head: {}, nodes: new Map(), lines: [], places: new Map(), kept: {} }
  const top = contents === null ? [] : yaml.entries(contents, 'The parts of a flow')
  if (!top) return { model: undefined, mistakes, spans }
  const given = named(yaml, top, TOP, 'a flow')
  const part = (name: (typeof TOP)[number]) => given.get(name)

  model.head = readHead(yaml, given)
  const nodes = part('nodes')
  const drawn = nodes?.value ? (yaml.entries(nodes.value, 'The nodes of a flow') ?? []) : []
  const ids = new Set(drawn.map(({ key }) => key))
  for (const entry of drawn) readNode(entry)
  for (const [id, { inside }] of model.nodes)
    if (inside !== undefined && !ids.has(inside) && known?.nodes.get(id)?.inside !== inside)
      yaml.say(spanOfNode(id), `${id} is inside of ${inside}, which is not there${near(inside, ids)}`)
  readLines(part('lines'))
  readPlaces(part('places'))
  const kept = part('kept')
  const keptValue = kept ? yaml.value(kept.value, 'kept') : undefined
  if (isObject(keptValue)) model.kept = keptValue as TextObject
  else if (kept && keptValue !== undefined && keptValue !== null)
    yaml.say(kept.keySpan, 'kept has fields of the flow file, as "name: value"')
  if (mistakes.length === 0)
    for (const { nodeId, input, message } of circleMistakes(model, known))
      yaml.say(
        spans.find((one) => one.nodeId === nodeId && one.input === input) ?? spanOfNode(nodeId),
        message,
      )
  return { model: mistakes.length > 0 ? undefined : model, mistakes, spans }

  function spanOfNode(id: string): TextExtent {
    return spans.find((one) => one.nodeId === id) ?? { line: 1, column: 1, endLine: 1 }
  }

  function readNode({ key: id, value, keySpan, span }: Entry): void {
    spans.push({ nodeId: id, input: null, ...span })
    if (id === '') {
      yaml.say(keySpan, 'A node has an id of at least one letter')
      return
    }
    const entries = yaml.entries(value, `The settings of ${id}`)
    if (!entries) return
    const fields = new Map(entries.map((entry) => [entry.key, entry]))
    const name = stringOf(fields.get('node'), 'node')
    if (!fields.has('node')) {
      yaml.say(
        keySpan,
        `${id} has no kind: "node: NAME" says which it is${hint(nearKind(id.replace(/_\d+$/, '')))}`,
      )
      return
    }
    if (name === undefined) return
    const inputs = inputsOfKind(name, catalog)
    named(yaml, entries, OF_A_NODE, id, (key) =>
      inputs?.includes(key) ? `it is an input: write it below inputs` : undefined,
    )
    const node: TextNode = { node: name, inputs: {}, kept: {} }
    const isForeign = fields.has('kept') || known?.nodes.get(id)?.node === name
    if (!inputs && !isForeign)
      yaml.say(
        yaml.spanOf(fields.get('node')!.value),
        `There is no node ${name}${hint(nearKind(name) ?? insteadOf(name))}`,
      )
    for (const fact of ['label', 'inside', 'credential', 'output'] as const) {
      const text = stringOf(fields.get(fact), fact)
      if (text !== undefined) node[fact] = text
    }
    readInputs(id, node, fields.get('inputs'), inputs)
    const kept = fields.get('kept')
    if (kept?.value)
      for (const entry of named(
        yaml,
        yaml.entries(kept.value, `What is kept of ${id}`) ?? [],
        KEPT,
        'kept',
      ).values()) {
        const read = yaml.value(entry.value, `kept.${entry.key}`, reference)
        if (isObject(read) && !(read instanceof Hidden))
          setMember(node.kept as TextObject, entry.key, read as TextObject)
        else if (read !== undefined && read !== null)
          yaml.say(entry.keySpan, `kept.${entry.key} has "name: value", one a line`)
      }
    model.nodes.set(id, node)
  }

  function readInputs(
    id: string,
    node: TextNode,
    given: Entry | undefined,
    inputs: readonly string[] | undefined,
  ): void {
    if (!given || given.value === null) return
    for (const { key, value, keySpan, span } of yaml.entries(given.value, `The inputs of ${id}`) ?? []) {
      spans.push({ nodeId: id, input: key, ...span })
      if (inputs && !inputs.includes(key))
        yaml.say(keySpan, `${node.node} has no input ${key}${near(key, inputs)}`)
      noteWithin(id, key, value)
      const read = yaml.value(value, key, reference)
      if (read !== undefined) setMember(node.inputs, key, read)
    }
  }

  /** The places of what is within an input. */
  function noteWithin(nodeId: string, path: string, value: Node | null, depth = 0): void {
    if (depth > 8 || spans.length > 20_000 || !isObject(value) || !Array.isArray(value.items)) return
    for (const [at, item] of (value.items as unknown[]).entries()) {
      const pair = item as { key?: Node & { value?: unknown }; value?: Node | null }
      const isPair = isObject(item) && 'key' in item
      const inner = isPair ? (pair.value ?? null) : (item as Node | null)
      const input = isPair ? `${path}.${String(pair.key?.value)}` : `${path}[${at}]`
      const start = yaml.spanOf(isPair ? pair.key : inner)
      spans.push({ nodeId, input, ...start, endLine: inner ? yaml.spanOf(inner).endLine : start.endLine })
      noteWithin(nodeId, input, inner, depth + 1)
    }
  }

  function reference(text: string, span: TextExtent): string | undefined {
    if (!text.startsWith(ARROW)) return text
    const id = text.slice(ARROW.length).trim()
    if (ids.has(id) && /^[\w-]+$/.test(id)) return `{{${id}.data.instance}}`
    yaml.say(span, `There is no node with the id ${id}${near(id, ids)}`)
    return undefined
  }

  function readLines(given: Entry | undefined): void {
    const read = given ? yaml.value(given.value, 'lines') : undefined
    if (!given || read === undefined || read === null) return
    if (!Array.isArray(read)) {
      yaml.say(given.keySpan, 'lines is a list: "- from -> to", one a line')
      return
    }
    const items = (given.value as unknown as { items: (Node | null)[] }).items
    for (const [at, one] of read.entries()) {
      const span = yaml.spanOf(items[at])
      const { line: text, ...more } = (isObject(one) ? one : { line: one }) as TextObject
      const line = typeof text === 'string' ? readTextLine(text) : undefined
      if (!line) {
        yaml.say(span, 'A line is written as "from -> to", "from.output -> to" or "from -> to.input"')
        continue
      }
      for (const end of [line.from, line.to])
        if (!ids.has(end))
          yaml.say(
            span,
            `The line leads ${end === line.to ? 'to' : 'from'} ${end}, which is no node${near(end, ids)}`,
          )
      spans.push({ nodeId: ids.has(line.to) ? line.to : line.from, input: null, ...span })
      model.lines.push(Object.keys(more).length > 0 ? { ...line, more } : line)
    }
  }

  function readPlaces(given: Entry | undefined): void {
    if (!given || given.value === null) return
    for (const { key, value, keySpan, span } of yaml.entries(given.value, 'The places of nodes') ?? []) {
      const read = yaml.value(value, key)
      spans.push({ nodeId: key, input: null, ...span })
      if (!ids.has(key)) yaml.say(keySpan, `There is no node with the id ${key}${near(key, ids)}`)
      if (read === undefined) continue
      if (!isPlace(read))
        yaml.say(keySpan, `The place of ${key} is [x, y], and of a frame [x, y, width, height]`)
      else model.places.set(key, read)
    }
  }

  function stringOf(entry: Entry | undefined, what: string): string | undefined {
    const read = entry ? yaml.value(entry.value, what) : undefined
    if (read === undefined || read === null) {
      if (entry && read === null) yaml.say(entry.keySpan, `${what} is empty`)
      return undefined
    }
    if (typeof read === 'object') return void yaml.say(entry!.keySpan, `${what} is a single text`)
    return String(read)
  }

  function nearKind(name: string): string | undefined {
    return didYouMean(name, catalog.keys())
  }

  function insteadOf(name: string): string {
    const advice = insteadOfNode(name, '')
    return advice.charAt(0).toLowerCase() + advice.slice(1)
  }
}

function readHead(yaml: YamlText, given: ReadonlyMap<string, Entry>): TextHead {
  const head: TextHead = {}
  for (const name of ['flow', 'type', 'category'] as const) {
    const entry = given.get(name)
    const read = entry ? yaml.value(entry.value, name) : undefined
    if (typeof read === 'object' && read !== null) yaml.say(entry!.keySpan, `${name} is a single text`)
    else if (read !== undefined && read !== null) head[name] = String(read)
  }
  const settings = given.get('settings')
  const read = settings ? yaml.value(settings.value, 'settings') : undefined
  if (isObject(read) && !(read instanceof Hidden)) head.settings = read as TextObject
  else if (settings && read !== undefined && read !== null)
    yaml.say(settings.keySpan, 'settings has "name: value", one a line')
  return head
}

/** The entries by name; one with another name is a mistake. */
function named(
  yaml: YamlText,
  entries: readonly Entry[],
  names: readonly string[],
  what: string,
  reason: (key: string) => string | undefined = () => undefined,
): Map<string, Entry> {
  for (const { key, keySpan } of entries)
    if (!names.includes(key))
      yaml.say(keySpan, `${what} has no ${key}${hint(reason(key)) || near(key, names)}`)
  return new Map(entries.filter(({ key }) => names.includes(key)).map((entry) => [entry.key, entry]))
}

const hint = (text: string | undefined): string => (text === undefined ? '' : `: ${text}`)

const near = (word: string, words: Iterable<string>): string => hint(didYouMean(word, words))

const isPlace = (value: TextValue): value is TextPlace =>
  Array.isArray(value) &&
  (value.length === 2 || value.length === 4) &&
  value.every((one) => typeof one === 'number' && Math.abs(one) < 1e7)
