import { ODF_STYLES } from './odf-package.ts'
import type { OfficePackage } from './office-package.ts'
import { type OdfListLevel, readListLevel } from './odf-lists.ts'
import { attribute, type ElementRule, type ElementRules, SKIP_ELEMENT } from '../xml.ts'

/** What styles say about paragraphs, lists, sheets and slides. */
export type OdfStyles = {
  /** Whether a paragraph has the style of a document's title. */
  isTitle(style: string | undefined): boolean
  /** Whether a style hides a sheet or a slide. */
  hides(style: string | undefined): boolean
  /** The levels of a list style by number, from 1. */
  list(name: string | undefined): readonly (OdfListLevel | undefined)[]
  /** The levels of numbered headings. */
  outline: readonly (OdfListLevel | undefined)[]
  /** Rules that add the styles at the beginning of the content, for those who read it. */
  rules: ElementRules
}

/** Reads the styles of `styles.xml` (OpenDocument 1.3 part 3, 16). */
export function readOdfStyles(source: OfficePackage): OdfStyles {
  const parents = new Map<string, string>()
  const hidden = new Set<string>()
  const lists = new Map<string, OdfListLevel[]>()
  const outline: OdfListLevel[] = []
  let style = ''
  let levels: OdfListLevel[] = []
  const level = (isBullet: boolean): ElementRule => ({
    open(attributes) {
      const number = Math.trunc(Number(attribute(attributes, 'level'))) || 1
      if (number >= 1 && number <= 10) levels[number] = readListLevel(attributes, isBullet)
    },
  })
  const rules: ElementRules = {
    style: {
      open(attributes) {
        style = attribute(attributes, 'name') ?? ''
        parents.set(style, attribute(attributes, 'parent-style-name') ?? '')
      },
      close: () => (style = ''),
    },
    'table-properties': {
      open: (attributes) => attribute(attributes, 'display') === 'false' && hidden.add(style),
    },
    'drawing-page-properties': {
      open: (attributes) => attribute(attributes, 'visibility') === 'hidden' && hidden.add(style),
    },
    'list-style': {
      open(attributes) {
        levels = []
        lists.set(attribute(attributes, 'name') ?? '', levels)
      },
    },
    'outline-style': { open: () => (levels = outline) },
    'list-level-style-number': level(false),
    'outline-level-style': level(false),
    'list-level-style-bullet': level(true),
    'list-level-style-image': level(true),
    'font-face-decls': SKIP_ELEMENT,
  }
  source.read(ODF_STYLES, { ...rules, 'master-styles': SKIP_ELEMENT })

  return {
    isTitle(name) {
      // the bound ends a cycle of parents
      let at = name
      for (let step = 0; at !== undefined && at !== '' && step < 32; step++) {
        if (at === 'Title') return true
        at = parents.get(at)
      }
      return false
    },
    hides: (name) => name !== undefined && hidden.has(name),
    list: (name) => lists.get(name ?? '') ?? [],
    outline,
    rules,
  }
}
