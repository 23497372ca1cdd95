import { isObject } from '../../kit/json.ts'

/** A value and the address of its document, against which its references are resolved. */
export type Located<T = unknown> = { value: T; at: string }

/** Resolves references on demand. */
export type References = {
  /**
   * The value itself, or what it finally refers to.
   *
   * @throws Error with the reason if a reference cannot be resolved
   */
  follow(value: unknown, at: string): Located
  /** Addresses of documents that were referred to and not given. */
  readonly missing: ReadonlySet<string>
}

const LONGEST_CHAIN = 50

/** @param documents by address; others are missing */
export function createReferences(documents: ReadonlyMap<string, unknown>): References {
  const missing = new Set<string>()
  const anchors = new Map<unknown, Map<string, unknown>>()

  function step(reference: string, at: string): Located {
    const [address = '', fragment = ''] = reference.split('#', 2)
    const target = address === '' ? at : addressOf(address, at)
    if (!documents.has(target)) {
      missing.add(target)
      throw new Error(`it refers to ${shown(address)}, another document, which is not loaded`)
    }
    const root = documents.get(target)
    return {
      value:
        fragment === '' || fragment.startsWith('/') ? valueAtFragment(root, fragment) : valueAtAnchor(root),
      at: target,
    }

    function valueAtAnchor(root: unknown): unknown {
      if (!anchors.has(root)) anchors.set(root, anchorsOf(root))
      const value = anchors.get(root)!.get(fragment)
      if (value === undefined) throw new Error(`${shown(reference)} does not exist`)
      return value
    }
  }

  return {
    missing,
    follow(value, at) {
      let found: Located = { value, at }
      for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
        const reference = refOf(found.value)
        if (reference === undefined) return found
        found = step(reference, found.at)
      }
      throw new Error(`${shown(refOf(value) ?? '')} refers to itself`)
    },
  }
}

/** The reference in a value, if it is one. */
export function refOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  const { $ref, $dynamicRef } = value
  return typeof $ref === 'string' ? $ref : typeof $dynamicRef === 'string' ? $dynamicRef : undefined
}

function addressOf(address: string, at: string): string {
  if (!URL.canParse(address, at))
    throw new Error(`it refers to ${shown(address)}, which is not a valid address`)
  return new URL(address, at).href
}

/** The value at a JSON pointer (RFC 6901) in a URL fragment. */
function valueAtFragment(root: unknown, pointer: string): unknown {
  let value = root
  for (const written of pointer.split('/').slice(1)) {
    const name = decoded(written).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      throw new Error(`#${shown(pointer)} does not exist`)
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function anchorsOf(root: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const { $anchor, $dynamicAnchor } = value as Record<string, unknown>
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === 'string' && !found.has(name)) found.set(name, value)
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(root)
  return found
}

const shown = (text: string) => text.slice(0, 200)
