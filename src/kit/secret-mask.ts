import { MASK } from './mask-address.ts'

/** Shorter secrets, in characters, are not masked: they are part of too many words. */
const SHORTEST_SECRET = 6
const LETTERS = /^[a-z]+$/i
/** The same for its base64 forms. */
const SHORTEST_ENCODED = 8

/** Masks secrets in texts for users and models. Secrets can be added at any time. */
export type SecretMask = {
  /** Short ones are ignored. */
  add(secret: string): void
  text(text: string): string
  /** The same for every text within a value, names of fields included. */
  json<T>(value: T): T
  /** For a text that arrives in pieces: also masks a secret that is split between pieces. */
  stream(): MaskedStream
}

export type MaskedStream = {
  /** The masked text so far. A possible beginning of a secret waits for the next piece. */
  push(piece: string): string
  /** The rest of the text. */
  end(): string
}

export type MaskOptions = {
  /** The most secrets that are masked; the oldest are removed first. */
  most?: number
  /** Secrets of letters only are masked from this length on: local providers have keys such as `ollama`. */
  shortestWord?: number
}

export function createSecretMask(options: MaskOptions = {}): SecretMask {
  const { most = Number.POSITIVE_INFINITY, shortestWord = SHORTEST_SECRET } = options
  const known = new Set<string>()
  let index: Map<string, string[]> | undefined
  let pattern: RegExp | undefined

  /** Spellings by their first character, the longest first. */
  function spelled(): Map<string, string[]> {
    index ??= Map.groupBy(
      [...new Set([...known].flatMap(spellings))].sort((one, other) => other.length - one.length),
      (spelling) => spelling[0]!,
    )
    return index
  }

  function text(given: string): string {
    if (known.size === 0 || given === '') return given
    pattern ??= new RegExp(
      [...spelled().values()]
        .flat()
        .sort((one, other) => other.length - one.length)
        .map((spelling) => RegExp.escape(spelling))
        .join('|'),
      'g',
    )
    return given.replace(pattern, MASK)
  }

  function json(value: unknown): unknown {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(json)
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [text(name), json(inner)]))
  }

  return {
    add(secret) {
      if (secret.length < (LETTERS.test(secret) ? shortestWord : SHORTEST_SECRET)) return
      const isNew = !known.delete(secret)
      known.add(secret)
      if (!isNew) return
      if (known.size > most) known.delete(known.values().next().value!)
      index = undefined
      pattern = undefined
    },
    text,
    json: <T>(value: T) => (known.size === 0 ? value : (json(value) as T)),
    stream() {
      let waiting = ''
      return {
        push(piece) {
          const all = waiting + piece
          const from = known.size === 0 ? all.length : beginningOf(all, spelled())
          waiting = all.slice(from)
          return text(all.slice(0, from))
        },
        end() {
          const rest = text(waiting)
          waiting = ''
          return rest
        },
      }
    },
  }
}

/** Where the last secret begins that the next piece may complete; the length of the text if there is none. */
function beginningOf(text: string, spelled: ReadonlyMap<string, readonly string[]>): number {
  for (let at = 0; at < text.length; ) {
    const candidates = spelled.get(text[at]!) ?? []
    const left = text.length - at
    if (candidates.some((one) => one.length > left && one.startsWith(text.slice(at)))) return at
    at += candidates.find((one) => text.startsWith(one, at))?.length ?? 1
  }
  return text.length
}

/** The spellings of a secret: plain, in JSON, in addresses and forms, and in base64, alone or within a longer text. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inAddress = encodeURIComponent(secret.toWellFormed())
  const inForm = new URLSearchParams({ s: secret }).toString().slice(2)
  const escaped = [inAddress, inForm, encodeURI(secret.toWellFormed())]
  return [
    secret,
    inJson,
    inJson.replaceAll('/', '\\/'),
    ...escaped,
    ...escaped.map((text) => text.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase())),
    ...base64Forms(secret),
  ]
}

function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const within = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // Characters at both ends also depend on the neighbouring text, which is not known.
    const end = (before + bytes.length) % 3 === 0 ? text.length : text.length - 1
    return text.slice([0, 2, 3][before], end)
  })
  return [bytes.toString('base64'), ...within]
    .filter((text) => text.length >= SHORTEST_ENCODED)
    .flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')])
}
