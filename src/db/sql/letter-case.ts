/** The forms of a character that a search does not tell apart: itself, in lower and in upper case, each as one character. */
function formsOf(character: string): string[] {
  const forms = new Set([character, character.toLowerCase(), character.toUpperCase()])
  return [...forms].filter((form) => [...form].length === 1)
}

const isAscii = (character: string): boolean => character <= '\u007f'

/** The pattern of LIKE for texts that contain another, with `\` as the escape character: in SQLite, ASCII letters match in either case. */
export function likeText(text: string): string {
  const pieces = [...text].map((character) =>
    !isAscii(character) && formsOf(character).length > 1 ? '_' : character.replace(/[\\%_]/, '\\$&'),
  )
  return `%${pieces.join('')}%`
}

/** Whether {@link likeText} alone also finds other texts: it has letters of which LIKE knows no other case. */
export const needsGlob = (text: string): boolean =>
  [...text].some((character) => !isAscii(character) && formsOf(character).length > 1)

/** The pattern of SQLite's GLOB for texts that contain another, each letter in either case. */
export function globText(text: string): string {
  const pieces = [...text].map((character) => {
    const forms = formsOf(character)
    return forms.length > 1 || '*?['.includes(character) ? `[${forms.join('')}]` : character
  })
  return `*${pieces.join('')}*`
}

/** The regular expression of PostgreSQL for texts that contain another, each letter in either case, whatever the locale. */
export function regexText(text: string): string {
  const pieces = [...text].map((character) => {
    const forms = formsOf(character)
    if (forms.length > 1) return `[${forms.join('')}]`
    return isAscii(character) && /[^0-9a-z]/i.test(character) ? `\\${character}` : character
  })
  return pieces.join('')
}
