import type { NodeInputAnswer, NodeKindAnswer } from '../../../src/api/node.ts'
import { isPlug } from '../../../studio/drawing/node-kinds.ts'
import { selectableKinds } from '../../../studio/drawing/parts-within.ts'
import { visibleInputs } from '../../../studio/drawing/visible-inputs.ts'
import type { FieldChange } from '../../support/studio/field-change.ts'

/** What a browser has to do itself: it chooses a file, or asks the server for choices. */
export type HandChange = { path: string; kind: 'file' | 'asked' | 'several'; value: string }

/** Inputs of JSON that take a list of objects. */
const LISTS = new Set(['examples'])

/** The changes of every input of forms, so that each has another value than before. */
export class AllChanges {
  readonly #kinds: ReadonlyMap<string, NodeKindAnswer>
  readonly #credentials: ReadonlyMap<string, string>
  /** The kinds that were walked as a part of another node: the same part behaves alike in the next one, where one input is enough. */
  readonly #walkedWithin = new Set<string>()

  /** @param credentials the id of one of each kind */
  constructor(kinds: ReadonlyMap<string, NodeKindAnswer>, credentials: ReadonlyMap<string, string>) {
    this.#kinds = kinds
    this.#credentials = credentials
  }

  /** Of the form of a node, of a part within it, or of a row, in the order in which the form shows its inputs. */
  of(inputs: readonly NodeInputAnswer[], prefix = '', depth = 0): (FieldChange | HandChange)[] {
    const values: Record<string, unknown> = {}
    const seen = new Set<string>()
    const changes: (FieldChange | HandChange)[] = []
    // A changed value may show more inputs.
    for (;;) {
      const next = visibleInputs(inputs as NodeInputAnswer[], values as never).find(
        ({ name }) => !seen.has(name),
      )
      if (!next) return changes
      seen.add(next.name)
      const path = `${prefix}${next.name}`
      if (next.selects !== undefined) changes.push(...this.#ofPart(next, path, depth))
      else if (next.type === 'array')
        changes.push(
          { path, kind: 'row', value: next.label },
          ...this.of(next.array as NodeInputAnswer[], `${path}[0].`, depth + 1),
        )
      else {
        const change = this.#ofInput(next, path)
        changes.push(change)
        if (change.kind === 'switch') values[next.name] = change.value === 'true'
        if (next.type === 'options') values[next.name] = change.value
      }
    }
  }

  #ofPart(input: NodeInputAnswer, path: string, depth: number): (FieldChange | HandChange)[] {
    const part = selectableKinds(this.#kinds, input).at(depth === 0 ? 0 : -1)!
    const own = part.inputs.filter((one) => !isPlug(one))
    const wanted = this.#walkedWithin.has(part.name) ? own.slice(0, 1) : own
    this.#walkedWithin.add(part.name)
    // Each part is walked as a node of its own; within nodes one level of it is enough.
    const within = depth < 2 ? this.of(wanted, `${path}.`, depth + 1) : []
    return [{ path, kind: 'choice', value: part.name }, ...within]
  }

  #ofInput(input: NodeInputAnswer, path: string): FieldChange | HandChange {
    if (input.loadMethod !== undefined)
      return { path, kind: input.list ? 'several' : 'asked', value: `typed ${input.name}` }
    switch (input.type) {
      case 'boolean':
        return { path, kind: 'switch', value: String(String(input.default) !== 'true') }
      case 'number':
        return { path, kind: 'text', value: String(numberOf(input)) }
      case 'options':
        return { path, kind: 'choice', value: optionOf(input) }
      case 'credential':
        return { path, kind: 'choice', value: this.#credentials.get(input.options![0]!.name)! }
      case 'file':
        return { path, kind: 'file', value: '' }
      case 'json':
      case 'code':
        return { path, kind: 'code', value: codeOf(input, path) }
      default:
        return input.language === undefined
          ? { path, kind: 'text', value: `text of ${path}` }
          : { path, kind: 'code', value: codeOf({ ...input, language: 'json' }, path) }
    }
  }
}

function codeOf({ language, name }: NodeInputAnswer, path: string): string {
  if (language === 'javascript') return `return 'of ${path}'`
  return LISTS.has(name) ? `[{"of": "${path}"}]` : `{"of": "${path}"}`
}

/** A number within the limits of an input that is not its default. */
function numberOf({ min, max, default: usual }: NodeInputAnswer): number {
  const candidates = [1, 2, 0.5, min, max].filter((one) => one !== undefined && one !== null)
  return candidates.find((one) => one !== usual && one >= (min ?? -Infinity) && one <= (max ?? Infinity))!
}

/** Another option than the default; with the option `file` the description of an API is the file of the form. */
const optionOf = ({ options = [], default: usual }: NodeInputAnswer): string =>
  (
    options.find(({ name }) => name === 'file') ??
    options.findLast(({ name }) => name !== usual) ??
    options[0]!
  ).name
