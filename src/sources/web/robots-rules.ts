import { setImmediate } from 'node:timers/promises'

/** So many characters are compared with rules before other work has its turn: a few milliseconds at most. */
const TURN_CHARACTERS = 500_000

/** What a robots.txt says to one visitor. */
export type RobotsRules = {
  /** Whether a page may be read, by its path and query. */
  allows(path: string): Promise<boolean>
  /** How long to wait between two pages, in seconds. */
  delay: number
  /** Addresses of sitemaps, which are for every visitor. */
  sitemaps: string[]
}

type Rule = {
  pattern: string
  allow: boolean
  /** What stands between the wildcards. */
  pieces: string[]
  /** Whether the end of the path has to be the end of the pattern. */
  isAnchored: boolean
}

type Group = { rules: Rule[]; delay: number | undefined }

/**
 * Reads a robots.txt (RFC 9309) once, for the visitor of a name. The longest rule that matches decides, and `Allow`
 * among rules of one length.
 *
 * To ask for a path costs at most one pass over it per rule with a wildcard, in turns with other work, and a look at
 * each length of the rules without.
 */
export function readRobots(text: string, visitor: string): RobotsRules {
  const groups = new Map<string, Group>()
  const sitemaps: string[] = []
  let named: string[] = []
  let isNaming = false
  for (const line of text.split(/[\r\n]/)) {
    const [name, value] = fieldOf(line)
    if (name === 'user-agent') {
      if (!isNaming) named = []
      const one = visitorIn(value)
      if ((one === visitor || one === '*') && !named.includes(one)) named.push(one)
    } else if (name === 'allow' || name === 'disallow') {
      const rule = value === '' ? undefined : ruleOf(value, name === 'allow')
      for (const { rules } of groupsOf(groups, named)) if (rule) rules.push(rule)
    } else if (name === 'crawl-delay') {
      const delay = Number(value)
      for (const group of groupsOf(groups, named)) if (!Number.isNaN(delay)) group.delay = delay
    } else if (name === 'sitemap' && value !== '') sitemaps.push(value)
    if (name !== '') isNaming = name === 'user-agent'
  }
  const { rules, delay = 0 } = groups.get(visitor) ?? groups.get('*') ?? { rules: [], delay: 0 }
  return { allows: asking(rules), delay, sitemaps }
}

/** The name, in lower case, and the value of a line; two empty texts for a line that holds none. */
function fieldOf(line: string): [name: string, value: string] {
  const comment = line.indexOf('#')
  const field = comment < 0 ? line : line.slice(0, comment)
  const colon = field.indexOf(':')
  return colon < 0 ? ['', ''] : [field.slice(0, colon).trim().toLowerCase(), field.slice(colon + 1).trim()]
}

/** The name of a visitor, without the version that may stand after it. */
const visitorIn = (value: string): string => value.toLowerCase().split('/', 1)[0]!.trim()

/** The groups of the named visitors. A name without any rule after it begins none. */
function groupsOf(groups: Map<string, Group>, named: readonly string[]): Group[] {
  return named.map((name) => {
    const group = groups.get(name) ?? { rules: [], delay: undefined }
    groups.set(name, group)
    return group
  })
}

function ruleOf(value: string, allow: boolean): Rule {
  const pattern = encoded(value)
  const isAnchored = pattern.endsWith('$')
  const pieces = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  return { pattern, allow, pieces, isAnchored }
}

/** What an address holds as it is, but for percent-encodings. */
const PLAIN = /^[\w\-.~!*'();:@&=+$,/?#]*$/

/** As an address has it: characters beyond these are percent-encoded; what is encoded already stays. */
const encoded = (value: string): string =>
  PLAIN.test(value) ? value : sameSpelling(encodeURI(value.toWellFormed()).replaceAll('%25', '%'))

/** `%2f` and `%2F` are the same. */
const sameSpelling = (path: string): string => path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())

function asking(rules: readonly Rule[]): RobotsRules['allows'] {
  // Plain prefixes are looked up, one look for each of their lengths.
  const plain = new Map<string, boolean>()
  const wild: Rule[] = []
  for (const rule of rules) {
    if (rule.isAnchored || rule.pieces.length > 1) wild.push(rule)
    else plain.set(rule.pattern, rule.allow || plain.get(rule.pattern) === true)
  }
  const lengths = [...new Set(Array.from(plain.keys(), (pattern) => pattern.length))].sort((a, b) => b - a)
  wild.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow))

  return async (given) => {
    const path = sameSpelling(given)
    const length = lengths.find((length) => length <= path.length && plain.has(path.slice(0, length))) ?? -1
    const allowed = length < 0 || plain.get(path.slice(0, length))!
    let compared = 0
    for (const rule of wild) {
      if (rule.pattern.length < length) break
      compared += path.length
      if (compared > TURN_CHARACTERS) {
        compared = 0
        await setImmediate()
      }
      if (matches(rule, path)) return rule.allow || (rule.pattern.length === length && allowed)
    }
    return allowed
  }
}

/**
 * Whether a rule matches the beginning of a path, or all of it. Each piece between wildcards is taken where it first
 * occurs: a later place leaves less for the pieces after it.
 */
function matches({ pieces, isAnchored }: Rule, path: string): boolean {
  if (!path.startsWith(pieces[0]!)) return false
  let at = pieces[0]!.length
  if (pieces.length === 1) return at === path.length
  for (const piece of pieces.slice(1, -1)) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  const last = pieces.at(-1)!
  return isAnchored ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at)
}
