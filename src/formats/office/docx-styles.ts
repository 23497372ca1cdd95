import type { OfficePackage } from './office-package.ts'
import { attribute, SKIP_ELEMENT } from '../xml.ts'

/** A position in a list: `id` names the numbering in numbering.xml, levels count from 0. */
export type ListPosition = { id: string; level: number }

/** The structure that paragraph styles give: headings and lists. */
export type DocxStyles = {
  /** Level 1 to 9 of a heading, undefined for other text. */
  heading(styleId: string | undefined): number | undefined
  list(styleId: string | undefined): ListPosition | undefined
}

type Style = { name: string; basedOn?: string; outline?: number; listId?: string; listLevel?: number }

/** Reads styles.xml (ECMA-376 part 1, 17.7). */
export function readStyles(source: OfficePackage, part: string | undefined): DocxStyles {
  const styles = new Map<string, Style>()
  let style: Style = { name: '' }
  if (part !== undefined) {
    source.read(part, {
      pPrChange: SKIP_ELEMENT,
      style: {
        open(attributes) {
          style = { name: '' }
          styles.set(attribute(attributes, 'styleId') ?? '', style)
        },
      },
      name: { open: (attributes) => (style.name = attribute(attributes, 'val')?.toLowerCase() ?? '') },
      basedOn: { open: (attributes) => (style.basedOn = attribute(attributes, 'val') ?? '') },
      outlineLvl: { open: (attributes) => (style.outline = Number(attribute(attributes, 'val'))) },
      numId: { open: (attributes) => (style.listId = attribute(attributes, 'val') ?? '') },
      ilvl: { open: (attributes) => (style.listLevel = Number(attribute(attributes, 'val'))) },
    })
  }

  /** The first value that a style or one of its base styles has. The bound ends a cycle of base styles. */
  function inherit<T>(styleId: string | undefined, read: (style: Style) => T | undefined): T | undefined {
    let id = styleId
    for (let step = 0; id !== undefined && step < 32; step++) {
      const style = styles.get(id)
      const found = style && read(style)
      if (found !== undefined) return found
      id = style?.basedOn
    }
    return undefined
  }

  return {
    heading: (styleId) => inherit(styleId, headingLevel),
    list: (styleId) =>
      inherit(styleId, ({ listId, listLevel }) =>
        listId === undefined ? undefined : { id: listId, level: listLevel ?? 0 },
      ),
  }
}

/** Built-in styles keep their English names in every language of Word. */
function headingLevel({ name, outline }: Style): number | undefined {
  const level = /^heading ?([1-9])$/.exec(name)?.[1]
  if (level) return Number(level)
  if (name === 'title') return 1
  return outline !== undefined && outline >= 0 && outline < 9 ? outline + 1 : undefined
}
