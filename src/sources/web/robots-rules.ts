import { ownTurn } from '../../kit/own-turn.ts'

/** Characters that are compared with rules before other work can run: some milliseconds. */
const CHARACTERS_AT_ONCE = 100_000

/** Lines that are read before other work can run: some milliseconds. */
const LINES_AT_ONCE = 2000

/** The rules of a robots.txt for one user agent. */
export type RobotsRules = {
  /** Whether a page may be read. @param path its path and query */
  allows(path: string): Promise<boolean>
  /** Seconds to wait between two pages. */
  delay: number
  /** Addresses of sitemaps, which do not depend on the user agent. */
  sitemaps: string[]
}

type Rule = {
  pattern: string
  allow: boolean
  /** The texts between the wildcards. */
  pieces: string[]
  /** Whether the pattern ends with `$`: it must match to the end of the path. */
  isAnchored: boolean
}

type Group = { rules: Rule[]; delay: number | undefined }

/**
 * Reads the rules of a robots.txt (RFC 9309) for one user agent. The longest matching rule decides; among rules of
 * one length, `Allow` does.
 *
 * Reading is interrupted for other work. Checking a path takes at most one pass over it per rule with a wildcard, interrupted for other work, and one lookup
 * per length of the other rules.
 */
export async function readRobots(text: string, userAgent: string): Promise<RobotsRules> {
  const groups = new Map<string, Group>()
  const sitemaps: string[] = []
  let named: string[] = []
  let isNaming = false
  let lines = 0
  for (const line of text.split(/[\r\n]/)) {
    if (++lines % LINES_AT_ONCE === 0) await ownTurn()
    const [name, value] = fieldOf(line)
    if (name === 'user-agent') {
      if (!isNaming) named = []
      const one = userAgentIn(value)
      if ((one === userAgent || one === '*') && !named.includes(one)) named.push(one)
    } else if (name === 'allow' || name === 'disallow') {
      const rule = value === '' ? undefined : ruleOf(value, name === 'allow')
      for (const { rules } of groupsOf(groups, named)) if (rule) rules.push(rule)
    } else if (name === 'crawl-delay') {
      const delay = Number(value)
      for (const group of groupsOf(groups, named)) if (!Number.isNaN(delay)) group.delay = delay
    } else if (name === 'sitemap' && value !== '') sitemaps.push(value)
    if (name !== '') isNaming = name === 'user-agent'
  }
  const { rules, delay = 0 } = groups.get(userAgent) ?? groups.get('*') ?? { rules: [], delay: 0 }
  await ownTurn()
  return { allows: createMatcher(rules), delay, sitemaps }
}

/** The name in lower case and the value of a line; two empty texts for a line without a field. */
function fieldOf(line: string): [name: string, value: string] {
  const comment = line.indexOf('#')
  const field = comment < 0 ? line : line.slice(0, comment)
  const colon = field.indexOf(':')
  return colon < 0 ? ['', ''] : [field.slice(0, colon).trim().toLowerCase(), field.slice(colon + 1).trim()]
}

/** The name of a user agent, without the version that may follow it. */
const userAgentIn = (value: string): string => value.toLowerCase().split('/', 1)[0]!.trim()

/** The groups of the named user agents, created at their first rule. */
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

/** An address without characters that need percent-encoding. */
const PLAIN = /^[\w\-.~!*'();:@&=+$,/?#]*$/

/** Percent-encodes other characters; what is encoded already stays. */
const encoded = (value: string): string =>
  PLAIN.test(value) ? value : sameSpelling(encodeURI(value.toWellFormed()).replaceAll('%25', '%'))

/** Writes percent-encodings in capitals, because `%2f` and `%2F` are equal. */
const sameSpelling = (path: string): string => path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())

function createMatcher(rules: readonly Rule[]): RobotsRules['allows'] {
  // Rules without a wildcard are prefixes in a map, with one lookup for each of their lengths.
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
      if (compared > CHARACTERS_AT_ONCE) {
        compared = 0
        await ownTurn()
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
