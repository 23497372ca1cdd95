import { isObject } from '../../../src/kit/json.ts'

/** A place in one of several documents. */
export type Spot = { address: string; pointer: string[]; value: unknown }

type Tree = Record<string, unknown>

/** Descriptions as they were written, looked up by hand: nothing of the reader under test is used. */
export function describedBy(documents: Readonly<Record<string, unknown>>, root: string) {
  function at(address: string, pointer: string[]): Spot {
    let value: unknown = documents[address]
    for (const step of pointer)
      value = isObject(value) || Array.isArray(value) ? (value as Tree)[step] : undefined
    return { address, pointer, value }
  }

  /** The place that a place refers to in the end. */
  function follow(spot: Spot): Spot {
    let found = spot
    for (
      let steps = 0;
      steps < 20 && isObject(found.value) && typeof found.value.$ref === 'string';
      steps++
    ) {
      const [file = '', fragment = ''] = found.value.$ref.split('#')
      const address = file === '' ? found.address : new URL(file, found.address).href
      const pointer = fragment
        .split('/')
        .slice(1)
        .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
      found = at(address, pointer)
    }
    return found
  }

  const inside = (spot: Spot, ...steps: string[]): Spot => at(spot.address, [...spot.pointer, ...steps])

  const list = (spot: Spot): Spot[] =>
    Array.isArray(spot.value) ? spot.value.map((_, index) => follow(inside(spot, String(index)))) : []

  const rootTree = documents[root] as Tree

  return {
    isOld: rootTree.swagger !== undefined,
    rootTree,
    inside,
    follow,
    /** An operation, and its parameters: its own, and those of the path that it does not replace. */
    operation(method: string, path: string): { operation: Spot; parameters: Spot[] } {
      const written = at(root, ['paths', path])
      const item = follow(written)
      const place =
        isObject(item.value) && method.toLowerCase() in item.value
          ? [method.toLowerCase()]
          : ['additionalOperations', method]
      const operation = follow(inside(item, ...place))
      const named = (spot: Spot) =>
        isObject(spot.value) ? `${String(spot.value.in)} ${String(spot.value.name)}` : ''
      const own = list(inside(operation, 'parameters'))
      const common = list(inside(item, 'parameters')).filter(
        (spot) => !own.some((other) => named(other) === named(spot)),
      )
      return { operation, parameters: [...common, ...own].filter(({ value }) => isObject(value)) }
    },
  }
}

export type Described = ReturnType<typeof describedBy>
