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
  let spelled: Spelled | undefined

  function text(given: string): string {
    if (known.size === 0 || given === '') return given
    spelled ??= spelledOf(known)
    return given.replace(spelled.pattern, MASK)
  }

  /**
   * The masked text up to where the last secret begins that more text may complete, and that place. Only the end of the text is looked at
   * character by character: the pattern reads all before it once.
   */
  function textSoFar(given: string): { shown: string; from: number } {
    if (known.size === 0) return { shown: given, from: given.length }
    spelled ??= spelledOf(known)
    const { pattern, longest } = spelled
    const tail = Math.max(0, given.length - longest + 1)
    let shown = ''
    let masked = 0
    pattern.lastIndex = 0
    if (tail > 0)
      for (let found = pattern.exec(given); found && found.index < tail; found = pattern.exec(given)) {
        shown += given.slice(masked, found.index) + MASK
        masked = pattern.lastIndex
      }
    const from = beginningOf(given, spelled, Math.max(tail, masked))
    return { shown: shown + text(given.slice(masked, from)), from }
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
      spelled = undefined
    },
    text,
    json: <T>(value: T) => (known.size === 0 ? value : (json(value) as T)),
    stream() {
      let waiting = ''
      return {
        push(piece) {
          const all = waiting + piece
          const { shown, from } = textSoFar(all)
          waiting = all.slice(from)
          return shown
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

/** All spellings of all secrets, as they are searched. */
type Spelled = {
  /** In the order of their characters. */
  sorted: readonly string[]
  firsts: ReadonlySet<string>
  /** The longest one at each place. */
  pattern: RegExp
  /** The same at one place. */
  there: RegExp
  /** The length of the longest one, in characters. */
  longest: number
}

function spelledOf(secrets: ReadonlySet<string>): Spelled {
  const all = [...new Set([...secrets].flatMap(spellings))].sort((one, other) => other.length - one.length)
  const alternatives = all.map((spelling) => RegExp.escape(spelling)).join('|')
  return {
    sorted: all.toSorted(),
    firsts: new Set(all.map((spelling) => spelling[0]!)),
    pattern: new RegExp(alternatives, 'g'),
    there: new RegExp(alternatives, 'y'),
    longest: all[0]!.length,
  }
}

/** Where the last secret begins, from `start` on, that the next piece may complete; the length of the text if there is none. */
function beginningOf(text: string, { sorted, firsts, there }: Spelled, start: number): number {
  for (let at = start; at < text.length; ) {
    if (!firsts.has(text[at]!)) {
      at++
      continue
    }
    if (isBeginning(text.slice(at), sorted)) return at
    there.lastIndex = at
    at += there.exec(text)?.[0].length ?? 1
  }
  return text.length
}

/** Whether a text is the beginning of one of the spellings, and not the whole of the only one that begins so. */
function isBeginning(text: string, sorted: readonly string[]): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= text) low = middle + 1
    else high = middle
  }
  // The first one behind the text: those that go on where it ends come before all others.
  return sorted[low]?.startsWith(text) ?? false
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
