import { citationPlace, sectionOf, sourceOf } from '../documents/citation.ts'
import type { Document } from '../contract/document.ts'

/** Longer names are cut, because names come from outside and cost tokens. */
const MAX_CHARACTERS = 200

/**
 * Documents as text for a model, each with the name of its source and the place in it: `<doc id='0'
 * source='report.pdf' place='page 3' section='Costs › Travel'>…</doc>`. Neither a text nor a name can end its element or begin another one.
 */
export const passagesText = (documents: readonly Document[]): string => documents.map(passage).join('\n')

function passage({ pageContent, metadata }: Document, index: number): string {
  const source = attribute('source', sourceOf(metadata))
  const place = attribute('place', citationPlace(metadata))
  const section = attribute('section', sectionOf(metadata))
  return `<doc id='${index}'${source}${place}${section}>${withoutTags(pageContent)}</doc>`
}

const attribute = (name: string, value: string): string => {
  const text = safeName(value)
  return text === '' ? '' : ` ${name}='${text}'`
}

/** A name on one line, without quotes and brackets, which could end it. */
export function safeName(name: string): string {
  const text = name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/['`]/g, '’')
    .replace(/"/g, '”')
    .replace(/[<[]/g, '(')
    .replace(/[>\]]/g, ')')
    .trim()
  const characters = [...text]
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : text
}

/** The text, in which a `<` that could begin or end a `doc` element is replaced. */
const withoutTags = (text: string): string => text.replace(/<(?=\s*(?:\/\s*)?doc\b)/giu, '‹')
