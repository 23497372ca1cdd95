/** What one text is to the questions of a flow: case and blanks make no difference. */
export const questionKey = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase()
