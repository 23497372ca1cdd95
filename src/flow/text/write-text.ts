import { Document, isMap, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { referenceOf } from '../graph.ts'
import { lineText } from './drawn-lines.ts'
import { type FlowModel, isPlainId, type TextNode } from './flow-model.ts'
import { Hidden, type TextObject, type TextValue } from './hidden.ts'

/** Characters that a block of text can hold as they are; anything else is written with escapes. */
const PLAIN_TEXT =
  /^[\t\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u
/** Before a word: the node that is plugged in. */
export const ARROW = '<- '

/** The text of a flow: YAML in one form, so that equal flows have equal texts. */
export function writeText(model: FlowModel): string {
  const { head, nodes, lines, places, kept } = model
  const whole = new YAMLMap()
  const add = (to: YAMLMap, key: string, value: unknown) => to.items.push(new Pair(keyOf(key), value))
  const here = (id: string) => nodes.has(id) && isPlainId(id)
  const written = (value: TextValue) => writeValue(value, here)
  const literal = (value: TextValue) => writeValue(value, () => false)

  const { settings, ...facts } = head
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) add(whole, name, literal(value))
  const drawn = new YAMLMap()
  for (const [id, node] of nodes) add(drawn, id, nodeMap(node, written, literal))
  add(whole, 'nodes', drawn)
  if (lines.length > 0) {
    const list = new YAMLSeq()
    for (const line of lines)
      list.items.push(
        line.more ? literal({ line: lineText(line), ...line.more }) : new Scalar(lineText(line)),
      )
    add(whole, 'lines', list)
  }
  if (settings) add(whole, 'settings', literal(settings))
  if (places.size > 0) {
    const map = new YAMLMap()
    for (const [id, place] of places) {
      const list = new YAMLSeq()
      list.items = place.map((one) => new Scalar(one))
      list.flow = true
      add(map, id, list)
    }
    add(whole, 'places', map)
  }
  if (Object.keys(kept).length > 0) add(whole, 'kept', literal(kept))
  spread(whole)
  spread(drawn)

  const document = new Document()
  document.contents = whole as typeof document.contents
  return document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    aliasDuplicateObjects: false,
  } as object)
}

type Writer = (value: TextValue) => unknown

function nodeMap({ inputs, kept, ...facts }: TextNode, written: Writer, literal: Writer): YAMLMap {
  const map = new YAMLMap()
  const add = (key: string, value: unknown) => map.items.push(new Pair(keyOf(key), value))
  const { node, label, inside, credential, output } = facts
  for (const [key, value] of Object.entries({ node, label, inside, credential, output }))
    if (value !== undefined) add(key, literal(value))
  if (Object.keys(inputs).length > 0) add('inputs', written(inputs))
  if (Object.keys(kept).length > 0) add('kept', written(kept as TextObject))
  return map
}

/** An empty line before each entry but the first. */
function spread(map: YAMLMap): void {
  for (const [at, { key, value }] of map.items.entries())
    if (at > 0 && (isMap(value) || value instanceof YAMLSeq)) (key as Scalar).spaceBefore = true
}

const keyOf = (key: string): Scalar => new Scalar(key)

/** @param isHere whether a reference to this id can be written as one */
function writeValue(value: TextValue, isHere: (id: string) => boolean): Scalar | YAMLMap | YAMLSeq {
  if (value instanceof Hidden) {
    const node = writeValue(value.shown as TextValue, () => false)
    node.tag = `!${value.kind}`
    return node
  }
  if (Array.isArray(value)) {
    const list = new YAMLSeq()
    list.items = value.map((one) => writeValue(one, isHere))
    return list
  }
  if (typeof value === 'object' && value !== null) {
    const map = new YAMLMap()
    for (const [name, one] of Object.entries(value))
      map.items.push(new Pair(keyOf(name), writeValue(one, isHere)))
    return map
  }
  return typeof value === 'string' ? writeString(value, isHere) : new Scalar(value)
}

function writeString(value: string, isHere: (id: string) => boolean): Scalar {
  const id = referenceOf(value)
  if (id !== undefined && value === `{{${id}.data.instance}}` && isHere(id))
    return new Scalar(`${ARROW}${id}`)
  const scalar = new Scalar(value)
  if (!PLAIN_TEXT.test(value)) scalar.type = 'QUOTE_DOUBLE'
  else if (isBlock(value)) scalar.type = 'BLOCK_LITERAL'
  else if (value.includes('\n')) scalar.type = 'QUOTE_DOUBLE'
  // Otherwise it would be read as a reference.
  if (value.startsWith(ARROW)) scalar.tag = '!text'
  return scalar
}

/** Whether a text is shown line by line: several lines, of which the first has text and begins without a space. */
const isBlock = (value: string): boolean => /^[^\s][^\n]*\n/.test(value) && !/\n[\t ]+$/.test(value)
